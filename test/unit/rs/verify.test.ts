import { build } from 'esbuild';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Call, type Use, type Verifier, createVerifier } from '../../../rs/verify.js';
import type { JsonObject } from '../../../src/contract/json.js';
import type { ApproverKey } from '../../../src/contract/wire.js';
import { Fixture, ISSUER, RESOURCE } from './fixture.js';
import type { KeyPair } from './keys.js';

const fixture = new Fixture();
const used = new Set<string>();
let verifier: Verifier;

beforeAll(() => fixture.start());
afterAll(() => fixture.close());
beforeEach(() => {
  used.clear();
  verifier = verifierWith();
});

const keyOf = (
  approver_id: string,
  { jwk, keyId }: KeyPair,
  scheme: ApproverKey['scheme'],
): ApproverKey => ({
  approver_id,
  key_id: keyId,
  scheme,
  public_jwk: jwk as JsonObject,
  label: 'test',
  created_at: 1,
});

/** In one step, as a database's unique keys do it. */
function use({ jti, hash }: Use): Promise<boolean> {
  if (used.has(jti) || used.has(hash)) return Promise.resolve(false);
  used.add(jti).add(hash);
  return Promise.resolve(true);
}

function verifierWith(changes: object = {}): Verifier {
  return createVerifier({
    resource: RESOURCE,
    issuer: ISSUER,
    jwks: `${fixture.vault.url}/.well-known/jwks.json`,
    webauthn: { rpId: 'localhost', origins: ['http://localhost:8421'] },
    approvers: [keyOf('alice', fixture.alice, 'es256')],
    use,
    clock: fixture.clock,
    ...changes,
  });
}

const honest = (): Call => fixture.request();
const refusal = (code: string) => ({ code, layer: 'rs' });

it('gives what was signed, once', async () => {
  const call = honest();
  const verified = await verifier.verify(call);
  expect(verified).toMatchObject({ command: call.command, args: call.args, approverId: 'alice' });
  expect(Object.isFrozen(verified.args)).toBe(true);
  await expect(verifier.verify(call)).rejects.toMatchObject(refusal('CredentialReplay'));
});

describe('after an honest call that passed', () => {
  beforeEach(async () => {
    await verifier.verify(honest());
  });

  it.each<[string, (call: Call) => Call, string]>([
    ['other arguments', (call) => ({ ...call, args: { task_id: 't-2' } }), 'CredentialDrift'],
    ['another command', (call) => ({ ...call, command: 'get_task' }), 'CredentialDrift'],
    ['no credential', ({ credential: _, ...call }) => call as Call, 'ApprovalRequired'],
    ['no signature', ({ signed: _, ...call }) => call as Call, 'ApprovalRequired'],
    [
      'another agent',
      (call) => ({ ...call, caller: { ...call.caller, client_id: 'mallory' } }),
      'WrongClient',
    ],
    ['a member too many', (call) => ({ ...call, extra: 1 }) as Call, 'MalformedRequest'],
  ])('%s is refused, and nothing is spent', async (_, change, code) => {
    const before = used.size;
    await expect(verifier.verify(change(honest()))).rejects.toMatchObject(refusal(code));
    expect(used.size).toBe(before);
  });

  it.each<[string, object, string]>([
    ['an issuer it does not know', { issuer: 'http://other' }, 'UnknownIssuer'],
    ['an approval for another service', { resource: 'http://other' }, 'WrongAudience'],
    ['an approver it does not know', { approvers: [] }, 'UnknownApprover'],
    [
      'an approver its policy does not name',
      { policy: { default: ['bob'], commands: new Map() } },
      'PolicyDenied',
    ],
    ['an algorithm it does not take', { algorithms: ['EdDSA'] }, 'MalformedCredential'],
    ['an unreachable key set', { jwks: () => Promise.reject(new Error('away')) }, 'Unavailable'],
  ])('%s is refused', async (_, changes, code) => {
    await expect(verifierWith(changes).verify(honest())).rejects.toMatchObject(refusal(code));
  });
});

it('of two at once, one wins', async () => {
  const call = honest();
  const results = await Promise.allSettled([verifier.verify(call), verifier.verify(call)]);
  expect(results.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
});

it('needs no server and no database', async () => {
  const { metafile } = await build({
    entryPoints: [join(import.meta.dirname, '../../../rs/verify.ts')],
    ...{ bundle: true, packages: 'external', platform: 'node', format: 'esm' },
    ...{ metafile: true, write: false, outdir: 'unused' },
  });
  const needed = Object.values(metafile.outputs).flatMap(({ imports }) =>
    imports.map(({ path }) => path),
  );
  expect([...new Set(needed)].filter((path) => !path.startsWith('node:'))).toEqual(['zod']);
});
