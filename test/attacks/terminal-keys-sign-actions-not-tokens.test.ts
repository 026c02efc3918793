/**
 * Claim: A terminal approver’s key signs canonical bytes for approvals and JWTs for sign-in, and neither passes for the other.
 * Enforced by: vault/raw-signature.ts, vault/key-sign-in.ts, rs/checks/check-human-signature.ts
 */
import { expect } from 'vitest';
import { refusal } from '../support/attack-world.js';
import { attack } from '../support/attack.js';
import { approverAssertion } from '../../src/cli/client-assertion.js';
import { call } from '../../src/cli/http.js';
import { generateJwk, publicJwk, signBytes, thumbprint } from '../../src/cli/jwk.js';
import { canonicalBytes } from '../../src/contract/canonical.js';

attack('a sign-in token approves nothing, an approval signs nobody in', async ({ world }) => {
  const { stack, caller } = world;
  const jwk = generateJwk('EdDSA');
  const own = publicJwk(jwk);
  await stack.operator(
    'vault',
    'add-key',
    '--approver',
    caller.subject,
    '--public-jwk',
    JSON.stringify(own),
  );
  const raw = (bytes: Uint8Array) =>
    ({
      scheme: 'eddsa',
      key_id: thumbprint(jwk),
      signature: signBytes(jwk, bytes).toString('base64url'),
    }) as const;
  const assertion = approverAssertion(jwk, caller.subject, stack.origin);
  const inbox = (token: string) =>
    call(`${stack.origin}/`, { headers: { authorization: `Bearer ${token}` } });
  expect((await inbox(assertion)).status).toBe(200);

  const { task_id, signed } = await world.signedDeletion();
  const bytes = canonicalBytes(signed.payload, 'client');
  const [head = '', body = '', made = ''] = assertion.split('.');
  const borrowed = { ...raw(bytes), signature: made };
  expect((await world.bridge.mint({ ...signed, signature: borrowed })).body).toMatchObject({
    code: 'SignatureMismatch',
    layer: 'vault',
  });
  const asToken = `${head}.${body}.${raw(bytes).signature}`;
  expect(refusal(await inbox(asToken))).toMatchObject({ status: 401, code: 'Unauthenticated' });
  for (const aud of ['http://evil.example', stack.configs.vault.issuer]) {
    expect(refusal(await inbox(approverAssertion(jwk, caller.subject, aud)))).toMatchObject({
      status: 401,
    });
  }
  expect(
    refusal(await inbox(approverAssertion(jwk, 'victim@example.com', stack.origin))),
  ).toMatchObject({ status: 401 });
  const approved = { ...signed, signature: raw(bytes) };
  const credential = await world.bridge.credential(approved);
  const execution = {
    command: 'delete_task',
    args: { task_id },
    caller,
    signed: approved,
    credential,
  };
  expect((await world.bridge.execute(execution)).status).toBe(200);
});
