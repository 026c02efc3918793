import { NOBODY } from '../../rs/upstream/connection-peer.js';
import { execute } from '../../rs/execute.js';
import type { OpenedResourceServer } from '../../rs/open-resource-server.js';
import type { ResourceServerPort } from '../clients/rs-client.js';
import { Refusal } from '../contract/errors.js';
import { deepFreeze } from '../contract/json.js';
import type { ToolDefinition } from '../contract/wire.js';

/** The resource server's own checks and stores, called instead of reached over HTTP. */
export function inProcess(
  { rs, recordRefusal }: OpenedResourceServer,
  definitions: () => readonly ToolDefinition[],
  service: string,
): ResourceServerPort {
  const nothing = { resources: [], resource_templates: [], prompts: [], upstreams: [] };
  const notHere = (): Promise<never> => Promise.reject(new Refusal('NotFound', 'rs'));
  return {
    surface: () => Promise.resolve({ revision: 0, tools: [...definitions()], ...nothing }),
    execute: async (request) => {
      deepFreeze(request.args);
      try {
        return await execute(request, { service, peer: NOBODY }, rs);
      } catch (error) {
        if (error instanceof Refusal) await recordRefusal(error, request, service);
        throw error;
      }
    },
    execution: async (jti) => rs.executions.find(jti, service) ?? notHere(),
    relay: notHere,
    listen: notHere,
  };
}
