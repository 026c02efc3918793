import { describe, expect, it } from 'vitest';
import { headerMismatch } from '../../../src/mcp/param-headers.js';

const schema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    count: { type: 'integer', 'x-mcp-header': 'Count' },
    where: { type: 'object', properties: { zone: { type: 'string', 'x-mcp-header': 'Zone' } } },
    list: { type: 'array', items: { type: 'string', 'x-mcp-header': 'Never' } },
  },
};
const base64 = (text: string): string => `=?base64?${Buffer.from(text).toString('base64')}?=`;
const found = (args: object, headers: Record<string, string>): string | undefined =>
  headerMismatch(schema, args as never, new Headers(headers))?.header;

describe('headers agree with arguments that', () => {
  it.each<[string, object, Record<string, string>]>([
    ['are plain text', { region: 'eu' }, { 'mcp-param-region': 'eu' }],
    ['are encoded', { region: 'Zürich' }, { 'mcp-param-region': base64('Zürich') }],
    ['only look encoded', { region: 'SGk=' }, { 'mcp-param-region': 'SGk=' }],
    ['are one number', { count: 42 }, { 'mcp-param-count': '42.0' }],
    ['lie deeper', { where: { zone: 'a' } }, { 'mcp-param-zone': 'a' }],
    ['are absent', {}, { 'mcp-param-region': 'ignored' }],
    ['cannot be declared', { list: ['a'] }, {}],
  ])('%s', (_claim, args, headers) => {
    expect(found(args, headers)).toBeUndefined();
  });
});

describe('a mismatch is found when', () => {
  it.each<[string, object, Record<string, string>, string]>([
    ['the header is missing', { region: 'eu' }, {}, 'Region'],
    ['it says something else', { region: 'eu' }, { 'mcp-param-region': 'us' }, 'Region'],
    ['it differs in case', { region: 'eu' }, { 'mcp-param-region': 'EU' }, 'Region'],
    [
      'padding is missing',
      { region: 'Hello' },
      { 'mcp-param-region': '=?base64?SGVsbG8?=' },
      'Region',
    ],
    [
      'it is not Base64',
      { region: 'Hello' },
      { 'mcp-param-region': '=?base64?SGVs!bG8=?=' },
      'Region',
    ],
    ['it is not UTF-8', { region: '\ufffd' }, { 'mcp-param-region': '=?base64?/w==?=' }, 'Region'],
    ['the number differs', { count: 42 }, { 'mcp-param-count': '43' }, 'Count'],
    ['the deeper one differs', { where: { zone: 'a' } }, { 'mcp-param-zone': 'b' }, 'Zone'],
  ])('%s', (_claim, args, headers, name) => {
    expect(found(args, headers)).toBe(`Mcp-Param-${name}`);
  });
});
