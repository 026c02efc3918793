/**
 * Claim: An ID token of the very issuer opens nothing, nor any other JWT it signs: the type must be at+jwt (RFC 9068 section 4, RFC 8725 section 3.11).
 * Enforced by: src/oauth/access-token.ts
 */
import { createHash, randomBytes } from 'node:crypto';
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { APP, authorizedAt, tokenAnswer } from '../support/authorization-server.js';
import { expectTokensRefused, tokenForge } from '../support/oauth-attack.js';
import { INITIALIZE, rpc } from '../support/mcp-attack.js';

attack('what tells a client who signed in says nothing to a resource', async ({ world }) => {
  const forge = tokenForge(world);
  const { issuer, resource } = forge;
  const verifier = randomBytes(32).toString('base64url');
  const query = new URLSearchParams({
    ...{ client_id: APP.id, redirect_uri: APP.redirectUri, response_type: 'code', resource },
    ...{ scope: 'openid tasks.read', nonce: 'n', code_challenge_method: 'S256' },
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  });
  const back = await authorizedAt(`${issuer}/auth?${query.toString()}`, APP.redirectUri);
  const tokens = await tokenAnswer(issuer, {
    ...{ grant_type: 'authorization_code', client_id: APP.id, resource },
    ...{ code: back.searchParams.get('code') ?? '', redirect_uri: APP.redirectUri },
    code_verifier: verifier,
  });
  expect((await rpc(world.stack, tokens.access_token, INITIALIZE)).status).toBe(200);
  await expectTokensRefused(world, forge, {
    'a real ID token': tokens.id_token ?? '',
    'an ID token for this resource': forge.make({ header: { typ: 'JWT' } }),
    'without a type': forge.make({ header: { typ: undefined } }),
    'a logout token': forge.make({ header: { typ: 'logout+jwt' } }),
    'a client assertion': forge.make({ header: { typ: 'client-authentication+jwt' } }),
    'another case': forge.make({ header: { typ: 'AT+JWT' } }),
  });
});
