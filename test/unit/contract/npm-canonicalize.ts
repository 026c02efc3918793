import { createRequire } from 'node:module';

/** The npm package `canonicalize`, a JCS implementation that is not ours. Its own types do not fit an ESM import. */
export const npmCanonicalize = createRequire(import.meta.url)('canonicalize') as (
  value: unknown,
) => string | undefined;
