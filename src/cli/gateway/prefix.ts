import type { Upstream } from './schema.js';

/** What stands before the names of an upstream's tools and prompts. */
export function prefixOf(name: string, { prefix }: Pick<Upstream, 'prefix'>): string {
  return prefix ?? `${name}__`;
}
