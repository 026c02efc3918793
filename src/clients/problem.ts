import { type Layer, Refusal, isRefusalCode } from '../contract/errors.js';
import type { JsonValue } from '../contract/json.js';
import { isJsonObject } from '../contract/json.js';

const LAYERS: readonly Layer[] = ['client', 'bridge', 'dispatcher', 'consent-ui', 'vault', 'rs'];

/** The refusal a problem document (RFC 9457) stands for, or undefined when it is not one of ours. */
export function refusalOfProblem(body: JsonValue, service: Layer): Refusal | undefined {
  if (!isJsonObject(body) || !isRefusalCode(body['code'])) return undefined;
  const layer = LAYERS.find((known) => known === body['layer']) ?? service;
  const path = body['path'];
  const missing = body['missing_scopes'];
  return new Refusal(body['code'], layer, {
    ...(typeof path === 'string' ? { path } : {}),
    ...(Array.isArray(missing)
      ? { missingScopes: missing.filter((scope) => typeof scope === 'string') }
      : {}),
  });
}
