import { Refusal } from './errors.js';
import type { Layer } from './errors.js';
import { isPlainObject } from './json-check.js';
import { pathOf } from './path.js';

type Check = (value: unknown) => boolean;
interface Member {
  readonly name: string;
  readonly holds: Check;
}

const text: Check = (value) => typeof value === 'string';
const word: Check = (value) => typeof value === 'string' && value !== '';
const object: Check = (value) =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const seconds: Check = (value) => Number.isSafeInteger(value) && Number(value) > 0;

const FORM_1: readonly Member[] = [
  { name: 'cmd', holds: word },
  { name: 'args', holds: object },
  { name: 'rar_type', holds: word },
  { name: 'exp', holds: seconds },
  { name: 'approver_id', holds: word },
  { name: 'binding_message', holds: text },
];

const FORM_2: readonly Member[] = [
  { name: 'v', holds: (value) => value === 2 },
  ...FORM_1,
  { name: 'aud', holds: word },
  { name: 'client_id', holds: word },
  { name: 'nonce', holds: word },
];

/**
 * Exactly the members of the payload's form, each of its type. The same rule as the zod schemas of payload.ts, stated
 * again here because the consent page signs without zod; a test holds the two together.
 * An attacker who could add a member would have a human sign what no verifier looks at.
 * @throws Refusal MalformedPayload with the path of the first member that is missing, unknown or of another type.
 */
export function checkMembers(payload: unknown, layer: Layer): void {
  if (typeof payload !== 'object' || payload === null || !isPlainObject(payload)) {
    throw new Refusal('MalformedPayload', layer, { path: '' });
  }
  const members = Object.hasOwn(payload, 'v') ? FORM_2 : FORM_1;
  const known = (name: string): boolean => members.some((member) => member.name === name);
  const names = Object.keys(payload);
  const wrong =
    members.find(({ name, holds }) => !Object.hasOwn(payload, name) || !holds(payload[name]))
      ?.name ?? (names.length === members.length ? undefined : names.find((name) => !known(name)));
  if (wrong !== undefined) throw new Refusal('MalformedPayload', layer, { path: pathOf([wrong]) });
}
