import type { FastifyRequest } from 'fastify';
import type { Client } from '../clients.js';
import type { VaultService } from '../service.js';

/**
 * The client behind `Authorization: Bearer <client assertion>`. What it may do is for {@link requireRole} to say.
 * @throws Refusal Unauthenticated.
 */
export function authenticated(
  { headers: { authorization = '' } }: FastifyRequest,
  { clients }: VaultService,
): Promise<Client> {
  return clients.authenticate(/^Bearer ([^ ]+)$/i.exec(authorization)?.[1]);
}
