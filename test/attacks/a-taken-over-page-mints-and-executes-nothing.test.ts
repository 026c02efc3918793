/**
 * Claim: Whoever has the page’s key, database and sockets cannot make an approval out of nothing, mint one, or run one.
 * Enforced by: vault/checks/check-signature.ts, vault/clients.ts, rs/client-authentication.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import Database from 'better-sqlite3';
import { join } from 'node:path';
import { domainDir } from '../../src/cli/data-directory.js';
import { call } from '../../src/cli/http.js';
import { elicitationOf, structured } from '../support/mcp-clients.js';
import { ServiceIdentity } from '../support/service-identity.js';
import { exchange } from '../support/token-exchange.js';

attack(
  'rows marked approved, borrowed signatures and the page’s own key get nothing run',
  async ({ world }) => {
    const { stack, caller } = world;
    const task_id = await world.newTask();
    const asked = elicitationOf(await world.agent.call('delete_task', { task_id }));
    const borrowed = (await world.signedDeletion()).signed.signature;
    const db = new Database(join(domainDir(stack.data, 'consent-ui'), 'consent-ui.sqlite'), {
      timeout: 5000,
    });
    db.prepare(
      "UPDATE consent SET status = 'approved', decided_at = 1, signature = ? WHERE id = ?",
    ).run(JSON.stringify(borrowed), asked.id);
    db.close();
    expect(structured(await world.agent.call('delete_task', { task_id }))).toMatchObject({
      status: 'refused',
      code: 'SignatureMismatch',
      layer: 'vault',
    });
    expect(world.exists(task_id)).toBe(true);
    const page = new ServiceIdentity(stack, 'consent-ui');
    const { signed } = await world.signedDeletion();
    const { issuer } = stack.configs.vault;
    expect(
      (await exchange(stack, signed, { client_assertion: page.assertion(issuer) })).body,
    ).toMatchObject({ code: 'Forbidden', layer: 'vault' });
    const { resource } = stack.configs.rs;
    const headers = page.bearer(resource);
    const run = await call(`${resource}/v1/execute`, {
      method: 'POST',
      headers,
      json: { command: 'list_tasks', args: {}, caller },
    });
    expect(refusal(run)).toEqual({ status: 401, code: 'Unauthenticated', layer: 'rs' });
    expect((await world.execute(await world.approvedDeletion())).status).toBe(200);
  },
);
