import type { JsonObject, JsonValue } from '../contract/json.js';
import { isJsonObject } from '../contract/json.js';

/** Longest stretch of an argument that goes into the sentence; the page shows every argument in full below it. */
const MAX_PART = 200;

/**
 * The sentence the approver reads, made from the operator's template: `{task_id}` and `{items.0.name}` stand for
 * arguments, `{{` and `}}` for braces. Text is inserted as it is (the renderers escape what could deceive), other
 * values as JSON, an absent one as `(none)`.
 */
export function bindingMessage(
  template: string | undefined,
  tool: string,
  args: JsonObject,
): string {
  return (template ?? `Run ${tool}`).replace(
    /\{\{|\}\}|\{([^{}]+)\}/g,
    (match, path: string | undefined) => {
      if (path === undefined) return match.charAt(0);
      const value = at(args, path.split('.'));
      const text =
        value === undefined ? '(none)' : typeof value === 'string' ? value : JSON.stringify(value);
      const points = Array.from(text);
      const rest = points.length - MAX_PART;
      return rest > 0
        ? `${points.slice(0, MAX_PART).join('')}… (+${rest} characters, see below)`
        : text;
    },
  );
}

function at(value: JsonValue, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>((here, member) => {
    if (Array.isArray(here)) return (here as readonly JsonValue[])[Number(member)];
    return isJsonObject(here) && Object.hasOwn(here, member) ? here[member] : undefined;
  }, value);
}
