import { expect, it } from 'vitest';
import { RequestIds } from '../../../src/mcp/request-ids.js';

it('an id used again in its session with other content is a conflict; the same content is a retransmission', () => {
  const ids = new RequestIds();
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a' } };
  expect(ids.conflicts('s1', call)).toBe(false);
  expect(ids.conflicts('s1', call)).toBe(false);
  expect(ids.conflicts('s1', { ...call, params: { name: 'b' } })).toBe(true);
  expect(ids.conflicts('s2', { ...call, params: { name: 'b' } })).toBe(false);
  expect(ids.conflicts('s1', { ...call, id: '1', params: { name: 'b' } })).toBe(false);
  expect(ids.conflicts('s1', { jsonrpc: '2.0', method: 'notifications/x' })).toBe(false);
  expect(ids.conflicts('s1', [call])).toBe(false);
});
