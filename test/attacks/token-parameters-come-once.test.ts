/**
 * Claim: A token request that gives a parameter twice is refused: no reader may see the first and another the last (RFC 6749 section 3.2).
 * Enforced by: vault/http/form.ts
 */
import { expect } from 'vitest';
import { request } from 'undici';
import { attack } from '../support/attack.js';
import { ServiceIdentity } from '../support/service-identity.js';
import { exchangeForm } from '../support/token-exchange.js';
import { CLIENT_ASSERTION_TYPE } from '../../src/contract/wire.js';

attack('duplicates of any parameter, encoded or not, mint nothing', async ({ world }) => {
  const { issuer } = world.stack.configs.vault;
  const { signed } = await world.signedDeletion();
  const form = new URLSearchParams({
    ...exchangeForm(world.stack, signed),
    client_assertion_type: CLIENT_ASSERTION_TYPE,
    client_assertion: new ServiceIdentity(world.stack, 'bridge').assertion(issuer),
  }).toString();
  const post = async (body: string) => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await request(`${issuer}/token`, { method: 'POST', headers, body });
    return { status: answer.statusCode, body: await answer.body.json() };
  };
  for (const again of [
    'resource=http%3A%2F%2Fevil.example',
    'resourc%65=x',
    'grant_type=password',
    'mint_id=',
    'requested_subject=victim',
  ]) {
    const path = decodeURIComponent(again.split('=')[0] ?? '');
    for (const text of [`${form}&${again}`, `${again}&${form}`]) {
      expect.soft(await post(text), again).toMatchObject({
        status: 400,
        body: { code: 'MalformedRequest', layer: 'vault', path },
      });
    }
  }
  expect((await post(form)).status).toBe(200);
});
