import type { FastifyInstance } from 'fastify';
import * as z from 'zod';
import { jsonObject } from '../../src/contract/payload.js';
import { checked } from './body.js';
import { type Limits, limit } from './limits.js';
import type { ConsentUiRecord } from './record.js';
import type { Vault } from './vault-client.js';
import { render } from './views.js';

const optionsBody = z.strictObject({ invite: z.string().min(1).max(256) });
const finishBody = z.strictObject({
  enrolment_id: z.string().max(128),
  response: jsonObject,
  label: z.string().min(1).max(200),
});

/**
 * Enrolment of a passkey by invitation. The invitation is in the fragment of the link, which browsers never send; the
 * page's script posts it. No other page links here, and a consent's page least of all.
 */
export function registerEnrolRoutes(
  app: FastifyInstance,
  deps: { readonly vault: Vault; readonly record: ConsentUiRecord; readonly limits: Limits },
): void {
  const limited = { onRequest: limit(app, deps.limits.enrol) };

  app.get('/enrol', (request, reply) =>
    render(request, reply, 'enrol', { title: 'Enrol a passkey' }),
  );

  app.post('/enrol/options', limited, (request) =>
    deps.vault.enrolmentOptions(checked(optionsBody, request.body).invite),
  );

  app.post('/enrol/finish', limited, async (request) => {
    const { approver_id, key_id } = await deps.vault.finishEnrolment(
      checked(finishBody, request.body),
    );
    deps.record.append('approver.enrolled', { approver_id, key_id });
    return { approver_id, key_id };
  });
}
