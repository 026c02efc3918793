import { createHash } from 'node:crypto';
import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server';
import { expect, test } from 'vitest';
import { SoftwarePasskey } from '../../../src/cli/software-passkey.js';

const ORIGIN = 'http://localhost:8421';
const expected = {
  expectedOrigin: ORIGIN,
  expectedRPID: 'localhost',
  requireUserVerification: true,
};

async function enrolled(): Promise<{
  passkey: SoftwarePasskey;
  publicKey: Uint8Array<ArrayBuffer>;
}> {
  const passkey = new SoftwarePasskey(ORIGIN);
  const options = { challenge: 'YWJj', user: { id: 'dXNlcg', name: 'a', displayName: 'a' } };
  const response = passkey.register(options as Parameters<SoftwarePasskey['register']>[0]);
  const verified = await verifyRegistrationResponse({
    response,
    expectedChallenge: 'YWJj',
    ...expected,
  });
  if (!verified.verified) throw new Error('not verified');
  return { passkey, publicKey: verified.registrationInfo.credential.publicKey };
}

test('a registration verifies, and is of the key it names', async () => {
  const { passkey, publicKey } = await enrolled();
  const x = Buffer.from(publicKey).subarray(10, 42).toString('base64url');
  expect(passkey.publicJwk['x']).toBe(x);
  const members = { crv: 'P-256', kty: 'EC', x, y: passkey.publicJwk['y'] };
  const thumbprint = createHash('sha256').update(JSON.stringify(members)).digest('base64url');
  expect(passkey.keyId).toBe(thumbprint);
});

test('an assertion over bytes verifies for their SHA-256 and for nothing else', async () => {
  const { passkey, publicKey } = await enrolled();
  const bytes = Buffer.from('{"cmd":"delete_task"}');
  const signature = passkey.sign(bytes);
  const response = {
    ...passkey.authenticate('unused'),
    response: {
      clientDataJSON: signature.client_data_json,
      authenticatorData: signature.authenticator_data,
      signature: signature.signature,
    },
  };
  const credential = { id: passkey.credentialId, publicKey, counter: 0 };
  const challengeOf = (text: Uint8Array): string =>
    createHash('sha256').update(text).digest('base64url');
  const verify = (expectedChallenge: string) =>
    verifyAuthenticationResponse({ response, expectedChallenge, credential, ...expected });
  expect((await verify(challengeOf(bytes))).verified).toBe(true);
  await expect(verify(challengeOf(Buffer.from('{"cmd":"other"}')))).rejects.toThrow();
});
