import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import type { Payload } from '../../src/contract/payload.js';
import type { MintedCredential } from '../../src/contract/vault.js';
import { ACCESS_TOKEN_TYPE, CLIENT_ASSERTION_TYPE } from '../../src/contract/wire.js';
import type { Client } from '../clients.js';
import { requireRole } from '../clients.js';
import { posixSecondsOf } from '../clock.js';
import { OAuthVault } from '../oauth.js';
import { refuse } from '../refuse.js';
import type { VaultService } from '../service.js';
import { acceptOnly, decodeUtf8 } from './body.js';
import { parseForm } from './form.js';
import { refusalOf } from './problems.js';
import { recordingRefusals } from './recorded.js';
import { sendTokenError } from './token-errors.js';
import { readTokenRequest } from './token-request.js';

/**
 * POST /token: token exchange (RFC 8693) of a signed payload for a credential with `authorization_details` (RFC 9396),
 * for clients authenticated by `private_key_jwt` (RFC 7523).
 */
export function serveTokenEndpoint(app: FastifyInstance, service: VaultService): void {
  app.register((scope, _options, registered) => {
    acceptOnly(scope, 'application/x-www-form-urlencoded', (octets) =>
      parseForm(decodeUtf8(octets, 'MalformedRequest')),
    );
    scope.setErrorHandler((error, _request, reply) =>
      sendTokenError(reply, refusalOf(error, service.log)),
    );
    scope.post('/token', async (request, reply) => {
      const client = await authenticate(request.body, service);
      const answer = await exchange(request.body, client, service);
      return reply.header('cache-control', 'no-store').send(answer);
    });
    registered();
  });
}

const authentication = z.looseObject({
  client_assertion_type: z.literal(CLIENT_ASSERTION_TYPE),
  client_assertion: z.string(),
});

async function authenticate(form: unknown, { clients }: VaultService): Promise<Client> {
  const given = authentication.safeParse(form);
  if (!given.success) throw refuse('Unauthenticated', { detail: 'no client assertion' });
  return clients.authenticate(given.data.client_assertion);
}

async function exchange(form: unknown, client: Client, service: VaultService) {
  const { clientId, agents } = client;
  const by = { presented_by: clientId };
  const request = await recordingRefusals(service.store, 'mint.refused', by, () => {
    requireRole(client, 'mint');
    return readTokenRequest(form);
  });
  const { consent } = request;
  const mayActFor = (agent: string) => agents.includes('*') || agents.includes(agent);
  const vault = new OAuthVault(service, { ...request, clientId, mayActFor });
  const facts = { ...consent.recordedFacts, ...by };
  const minted = await recordingRefusals(service.store, 'mint.refused', facts, () =>
    vault.mintFor(consent),
  );
  return tokenResponse(minted, consent.payload, service);
}

function tokenResponse(
  { credential, jti, exp, approverId, command }: MintedCredential,
  { rar_type: type, args }: Payload,
  { clock }: VaultService,
) {
  return {
    access_token: credential,
    issued_token_type: ACCESS_TOKEN_TYPE,
    // Not a bearer token: it is good for the one call it names.
    token_type: 'N_A',
    expires_in: exp - posixSecondsOf(clock),
    authorization_details: [{ type, command, args }],
    ...{ jti, exp, approver_id: approverId, command },
  };
}
