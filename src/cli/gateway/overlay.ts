import { dirname, resolve } from 'node:path';
import type { JsonObject } from '../../contract/json.js';
import type { Domain } from '../data-directory.js';
import { compile } from './compile.js';
import type { GatewayConfig } from './schema.js';

/** What a configuration file changes in the domains' own: members by domain, given those of a fresh data directory. */
export type Overlay = (
  initial: Readonly<Record<Domain, JsonObject>>,
) => Readonly<Partial<Record<Domain, JsonObject>>>;

export function overlayOf(config: GatewayConfig, file: string): Overlay {
  return (initial) => {
    const around = { directory: dirname(resolve(file)), environment: process.env };
    const { vault, rs, bridge } = compile(config, initial, around);
    return { vault, rs, bridge };
  };
}
