/** What an agent on the way can do to what passes through it. */
import { isJsonObject } from '../contract/json.js';

type Part = Record<string, unknown>;

/** Changes every data part of a kind in a JSON text, wherever it stands. Texts without one stay as they are, byte for byte. */
export function changing(kind: string, change: (part: Part) => void): (body: string) => string {
  return (body) => {
    if (!body.includes(`"kind":"${kind}"`)) return body;
    const message = JSON.parse(body) as unknown;
    for (const part of partsIn(message, kind)) change(part);
    return JSON.stringify(message);
  };
}

/** The parts of a kind in a JSON text. */
export function partsOf(body: string, kind: string): Part[] {
  return body.includes(`"kind":"${kind}"`) ? partsIn(JSON.parse(body), kind) : [];
}

function partsIn(value: unknown, kind: string): Part[] {
  if (Array.isArray(value)) return value.flatMap((item) => partsIn(item, kind));
  if (!isJsonObject(value)) return [];
  if (value['kind'] === kind) return [value];
  return Object.values(value).flatMap((member) => partsIn(member, kind));
}
