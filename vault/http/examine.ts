import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { requireRole } from '../clients.js';
import { Consent } from '../consent.js';
import { VerifiedConsent } from '../mint.js';
import { policyForAnySubject } from '../policy.js';
import type { VaultService } from '../service.js';
import { parseShape } from '../shape.js';
import { authenticated } from './authenticated.js';
import { recordingRefusals } from './recorded.js';

const body = z.strictObject({ signed: z.unknown() });

/**
 * POST /v1/signatures/examine: tells the consent page (role `ceremony`) whether a signature would be minted, before the
 * approver is told that it will. All checks of a mint, but for who the call is for and whether it was minted already.
 */
export function serveExamination(app: FastifyInstance, service: VaultService): void {
  const { store, policy, rules } = service;
  const presenter = { mayActFor: () => true, mayApprove: policyForAnySubject(policy) };
  app.post('/v1/signatures/examine', async (request, reply) => {
    const client = await authenticated(request, service);
    const by = { presented_by: client.clientId };
    const consent = await recordingRefusals(store, 'examine.refused', by, () => {
      requireRole(client, 'ceremony');
      return Consent.read(parseShape(body, request.body).signed);
    });
    const facts = { ...consent.recordedFacts, ...by };
    await recordingRefusals(store, 'examine.refused', facts, async () => {
      const examined = await VerifiedConsent.verify(consent, presenter, rules);
      await store.signatures.observe(examined, client.clientId);
    });
    const { payload, hash, signature } = consent;
    return reply.header('cache-control', 'no-store').send({
      approver_id: payload.approver_id,
      key_id: signature.key_id,
      hash,
      exp: payload.exp,
    });
  });
}
