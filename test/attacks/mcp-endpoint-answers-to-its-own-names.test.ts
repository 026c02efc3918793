/**
 * Claim: The MCP endpoint answers no page of another site and no name pointed at this machine (DNS rebinding).
 * Enforced by: src/mcp/http-app.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { tokenFor } from '../support/direct-enrolment.js';
import { rpc } from '../support/mcp-attack.js';

attack('another Host or Origin is refused though the token is good', async ({ world }) => {
  const { stack, caller } = world;
  const token = tokenFor(stack, caller);
  const list = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  expect((await rpc(stack, token, list)).status).toBe(200);
  for (const headers of [
    { host: 'evil.example' },
    { host: 'localhost.evil.example' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost.evil.example' },
  ]) {
    const { status, body } = await rpc(stack, token, list, headers);
    expect.soft(status, JSON.stringify(headers)).toBe(403);
    expect(JSON.stringify(body)).not.toContain('delete_task');
  }
});
