/** The arguments a tool wants to see in HTTP headers too (`x-mcp-header`, MCP 2026-07-28, Streamable HTTP). */
import type { JsonObject, JsonValue } from '../../src/contract/json.js';
import { isJsonObject } from '../../src/contract/json.js';

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]{1,100}$/;
const PLAIN = /^(?!=\?base64\?)[!-~](?:[\t -~]*[!-~])?$/;

/** @returns `Mcp-Param-…` headers of the declared arguments that are there */
export function paramHeaders(
  schema: JsonValue | undefined,
  args: JsonValue | undefined,
): Record<string, string> {
  if (!isJsonObject(schema) || args === undefined) return {};
  const name = schema['x-mcp-header'];
  const own =
    typeof name === 'string' && TOKEN.test(name) && isScalar(args)
      ? { [`Mcp-Param-${name}`]: text(args) }
      : {};
  const properties: JsonObject = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const values: JsonObject = isJsonObject(args) ? args : {};
  const inner = Object.entries(properties).map(([property, child]) =>
    paramHeaders(child, Object.hasOwn(values, property) ? values[property] : undefined),
  );
  return Object.assign(own, ...inner) as Record<string, string>;
}

function isScalar(value: JsonValue): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number';
}

function text(value: string | number | boolean): string {
  const plain = String(value);
  return PLAIN.test(plain) ? plain : `=?base64?${Buffer.from(plain).toString('base64')}?=`;
}
