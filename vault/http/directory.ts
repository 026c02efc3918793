import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { requireRole } from '../clients.js';
import type { VaultService } from '../service.js';
import { parseShape } from '../shape.js';
import type { ApproverKeyRow } from '../store/approver-keys.js';
import { authenticated } from './authenticated.js';
import { recordingRefusals } from './recorded.js';

const parameters = z.strictObject({ approver_id: z.string().min(1).max(256) });

/** GET /v1/approvers/:approver_id/keys: an approver's active public keys, for the consent page and resource servers. */
export function serveDirectory(app: FastifyInstance, service: VaultService): void {
  app.get('/v1/approvers/:approver_id/keys', async (request, reply) => {
    const client = await authenticated(request, service);
    const by = { presented_by: client.clientId };
    const keys = await recordingRefusals(service.store, 'directory.refused', by, () => {
      requireRole(client, 'ceremony', 'directory');
      const { approver_id } = parseShape(parameters, request.params);
      return service.store.approverKeys.activeOf(approver_id).map(publicView);
    });
    return reply.header('cache-control', 'no-store').send({ keys });
  });
}

function publicView({ credential_id, public_jwk, ...row }: ApproverKeyRow) {
  const { approver_id, key_id, scheme, label, created_at } = row;
  return {
    ...{ approver_id, key_id, scheme, label, created_at },
    public_jwk: JSON.parse(public_jwk) as unknown,
    ...(credential_id === null ? {} : { credential_id }),
  };
}
