/**
 * Claim: What a domain refuses an authenticated client, it records once, with code and layer.
 * Enforced by: vault/http/recorded.ts, rs/app.ts, consent-ui/server/error-handler.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { call } from '../../src/cli/http.js';
import { recordDatabase } from '../support/record-database.js';

attack(
  'a refusal at vault, resource server and page is one entry each; a stranger’s leaves none',
  async ({ world }) => {
    const { stack, caller } = world;
    const count = (domain: 'vault' | 'rs', event: string, needle: string) => {
      const db = recordDatabase(stack, domain);
      const rows = db
        .prepare<[string, string], { data: string }>(
          'SELECT data FROM record WHERE event = ? AND instr(data, ?) > 0',
        )
        .all(event, needle);
      db.close();
      return rows.map(({ data }) => (JSON.parse(data) as { code: string }).code);
    };
    const honest = await world.approvedDeletion();
    expect((await world.execute(honest)).status).toBe(200);
    await world.execute(honest);
    expect(count('rs', 'execution.refused', caller.client_id)).toEqual(['CredentialReplay']);
    expect((await world.bridge.mint(honest.signed)).status).toBe(400);
    expect(count('vault', 'mint.refused', caller.subject)).toEqual(['SignatureReplay']);
    const { resource } = stack.configs.rs;
    await call(`${resource}/v1/execute`, { method: 'POST', json: { caller } });
    expect(count('rs', 'execution.refused', caller.client_id)).toHaveLength(1);
  },
);
