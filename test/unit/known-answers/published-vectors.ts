import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../../src/contract/json.js';

/** One line of a Wycheproof file: what is signed and the signature are hexadecimal. */
export interface SignatureVector {
  readonly jwk: JsonObject;
  readonly id: number;
  readonly comment: string;
  readonly msg: string;
  readonly sig: string;
  readonly result: 'valid' | 'invalid' | 'acceptable';
}

/** The tests of `published/wycheproof-<name>.jsonl`, each with the key of its group. */
export function wycheproof(name: string): SignatureVector[] {
  let jwk: JsonObject = {};
  return lines<JsonObject & { jwk?: JsonObject }>(`wycheproof-${name}`).flatMap((line) => {
    if (line.jwk === undefined) return [{ ...line, jwk } as unknown as SignatureVector];
    ({ jwk } = line);
    return [];
  });
}

export interface JsonText {
  /** As JSONTestSuite names its file: `y_` must be accepted, `n_` refused, `i_` is the implementation's to say. */
  readonly name: string;
  readonly text: string;
}

interface Repeated {
  readonly repeat: string;
  readonly times: number;
  readonly then?: string;
}

/** The texts of `published/json-test-suite.jsonl`. */
export function jsonTestSuite(): JsonText[] {
  return lines<{ name: string; input: string | Repeated }>('json-test-suite').map(
    ({ name, input }) => ({
      name,
      text:
        typeof input === 'string' ? input : input.repeat.repeat(input.times) + (input.then ?? ''),
    }),
  );
}

function lines<T>(name: string): T[] {
  const text = readFileSync(join(import.meta.dirname, 'published', `${name}.jsonl`), 'utf8');
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as T);
}
