/**
 * Claim: An address that cannot be decoded, or leads nowhere, is refused by a typed code at every service.
 * Enforced by: src/mcp/http-app.ts, consent-ui/server/app.ts, vault/app.ts, rs/app.ts
 */
import { expect } from 'vitest';
import { call } from '../../src/cli/http.js';
import { attack } from '../support/attack.js';

attack(
  'every service answers a broken or unknown address with a problem document of its own',
  async ({ world }) => {
    const { stack } = world;
    const { vault, rs } = stack.configs;
    const services = [
      { layer: 'bridge', origin: new URL(stack.mcpUrl).origin },
      { layer: 'consent-ui', origin: stack.origin },
      { layer: 'vault', origin: vault.issuer },
      { layer: 'rs', origin: rs.resource },
    ];
    const paths = [
      '/nothing',
      '/%zz',
      '/v1/%ff',
      '/../etc/passwd',
      `/v1/${'x'.repeat(4000)}`,
      '/mcp/%2e%2e',
    ];
    for (const { layer, origin } of services) {
      for (const path of paths) {
        const { status, body } = await call(`${origin}${path}`);
        const { code, layer: by } = body as { code?: string; layer?: string };
        expect
          .soft({ by, client: status >= 400 && status < 500 }, `${path} at ${layer}`)
          .toEqual({ by: layer, client: true });
        expect.soft(code, path).toMatch(/^(NotFound|MalformedRequest|Unauthenticated)$/);
      }
    }
  },
);
