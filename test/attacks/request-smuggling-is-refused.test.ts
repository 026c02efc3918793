/**
 * Claim: Two framings of one request are never two requests: a body with both lengths, or a bad one, is refused and the connection ends.
 * Enforced by: src/mcp/http-app.ts, consent-ui/server/app.ts, vault/app.ts, rs/app.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { connect } from 'node:net';

/** Everything a server says to these octets until it ends the connection. */
function raw(port: number, octets: string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, 'localhost', () => socket.write(octets));
    socket.on('data', (chunk) => (text += chunk.toString('latin1')));
    socket.on('close', () => resolve(text));
    socket.on('error', reject);
  });
}

attack('no service answers what was smuggled behind a refused request', async ({ world }) => {
  const { stack } = world;
  const { vault, rs } = stack.configs;
  const origins = [new URL(stack.mcpUrl).origin, stack.origin, vault.issuer, rs.resource];
  for (const origin of origins) {
    const { hostname, port } = new URL(origin);
    const smuggled = `GET /healthz HTTP/1.1\r\nHost: ${hostname}\r\n\r\n`;
    const heads = [
      'Content-Length: 4\r\nTransfer-Encoding: chunked',
      'Content-Length: 4\r\nContent-Length: 5',
      'Transfer-Encoding: xchunked',
      'Content-Length: -1',
      'Content-Length: 1_0',
    ];
    for (const head of heads) {
      const text = await raw(
        Number(port),
        `POST / HTTP/1.1\r\nHost: ${hostname}:${port}\r\n${head}\r\n\r\n0\r\n\r\n${smuggled}`,
      );
      const answers = text.match(/HTTP\/1\.1 \d+/g) ?? [];
      expect.soft(answers.at(-1), `${head} at ${origin}`).toBe('HTTP/1.1 400');
      expect.soft(answers, `${head} at ${origin}`).not.toContain('HTTP/1.1 200');
    }
    expect(
      await raw(
        Number(port),
        `GET /nothing HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: close\r\n\r\n`,
      ),
    ).toMatch(/^HTTP\/1\.1 40[14]/);
  }
});
