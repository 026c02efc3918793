/** Arguments that a tool wants to see in HTTP headers too (`x-mcp-header`, MCP 2026-07-28, Streamable HTTP). */
import type { JsonObject, JsonValue } from '../contract/json.js';
import { isJsonObject } from '../contract/json.js';

export interface HeaderMismatch {
  readonly header: string;
  readonly body: string;
}

/**
 * The first argument whose `Mcp-Param-…` header is missing, cannot be decoded or says something else: what lies between
 * client and bridge may have judged the call by that header.
 */
export function headerMismatch(
  schema: JsonValue | undefined,
  args: JsonValue | undefined,
  headers: Headers,
): HeaderMismatch | undefined {
  if (!isJsonObject(schema) || args === undefined) return undefined;
  const name = schema['x-mcp-header'];
  if (typeof name === 'string' && TOKEN.test(name) && isScalar(args)) {
    const header = `Mcp-Param-${name}`;
    if (!says(headers.get(header), args)) return { header, body: JSON.stringify(args) };
  }
  const { properties } = schema;
  if (!isJsonObject(properties) || !isJsonObject(args)) return undefined;
  for (const [property, child] of Object.entries(properties)) {
    const value = Object.hasOwn(args, property) ? args[property] : undefined;
    const mismatch = headerMismatch(child, value, headers);
    if (mismatch !== undefined) return mismatch;
  }
  return undefined;
}

/** JSON-RPC error `HeaderMismatch`, shaped as the SDK shapes those about the standard headers. */
export function mismatchError(id: unknown, mismatch: HeaderMismatch): JsonObject {
  const message = `Bad Request: the ${mismatch.header} header and the body disagree`;
  const data = { mismatch: { ...mismatch } };
  const given = typeof id === 'string' || typeof id === 'number' ? id : null;
  return { jsonrpc: '2.0', id: given, error: { code: -32_020, message, data } };
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const BASE64 = /^=\?base64\?(?<text>.*)\?=$/s;
const DECIMAL = /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function isScalar(value: JsonValue): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}

function says(header: string | null, value: string | number | boolean): boolean {
  const decoded = header === null ? undefined : decode(header);
  if (decoded === undefined) return false;
  // `42` and `42.0` are one number.
  if (typeof value === 'number' && DECIMAL.test(decoded)) return Number(decoded) === value;
  return decoded === String(value);
}

function decode(header: string): string | undefined {
  const text = BASE64.exec(header)?.groups?.['text'];
  if (text === undefined) return header;
  const bytes = Buffer.from(text, 'base64');
  if (bytes.toString('base64') !== text) return undefined;
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}
