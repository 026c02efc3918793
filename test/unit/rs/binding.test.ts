import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.js';
import type { Form2Payload } from '../../../src/contract/payload.js';
import { Fixture } from './fixture.js';
import { keyPair, signRaw } from './keys.js';

const f = new Fixture();
beforeAll(() => f.start());
afterAll(() => f.close());
beforeEach(() => {
  f.nowMs += 60_000;
});
const NOBODY = { task_id: 't-99' };

describe('the live call is what the credential says', () => {
  const signedArgs = { task_id: 't-99', title: 'x', done: true };
  /** Raw text of the live args, so that spelling counts. */
  async function live(args: string, signed: JsonObject = signedArgs): Promise<string> {
    const payload = f.payload({ cmd: 'update_task', args: signed });
    const body = JSON.stringify(f.request({ payload, body: { args: 0 } }));
    const raw = body.replace('"args":0', `"args":${args}`);
    const answer = await f.http('POST', '/v1/execute', raw);
    return String(answer.body.code ?? answer.body.status);
  }

  it.each([
    ['the same', '{"task_id":"t-99","title":"x","done":true}'],
    ['another member order', '{"done":true,"title":"x","task_id":"t-99"}'],
    ['white space and escapes', '{ "task_id" : "t\\u002d99", "title":"x","done":true }'],
  ])('%s: accepted', async (_name, args) => {
    expect(await live(args)).toBe('failure');
  });

  it.each([
    ['another value', '{"task_id":"t-98","title":"x","done":true}'],
    ['an extra member', '{"task_id":"t-99","title":"x","done":true,"force":true}'],
    ['an extra null member', '{"task_id":"t-99","title":"x","done":true,"notes":null}'],
    ['a missing member', '{"task_id":"t-99","title":"x"}'],
    ['text for a boolean', '{"task_id":"t-99","title":"x","done":"true"}'],
    ['another case', '{"task_id":"T-99","title":"x","done":true}'],
    ['a trailing space', '{"task_id":"t-99 ","title":"x","done":true}'],
    ['__proto__', '{"task_id":"t-99","title":"x","done":true,"__proto__":{}}'],
    ['nothing', '{}'],
  ])('%s: drift', async (_name, args) => {
    expect(await live(args)).toBe('CredentialDrift');
  });

  it('1 and 1.0 are one number; 1 and "1", 0.1 and 0.2, [1,2] and [2,1] are not', async () => {
    const drift = (a: string, b: JsonObject) => live(a, b);
    expect(await drift('{"n":1.0}', { n: 1 })).toBe('MalformedRequest'); // bound; then the schema
    expect(await drift('{"n":"1"}', { n: 1 })).toBe('CredentialDrift');
    expect(await drift('{"n":0.2}', { n: 0.1 })).toBe('CredentialDrift');
    expect(await drift('{"n":[2,1]}', { n: [1, 2] })).toBe('CredentialDrift');
    expect(await drift('{"n":"e\\u0301"}', { n: 'é' })).toBe('CredentialDrift');
  });

  it('ambiguous raw text never reaches the comparison', async () => {
    for (const args of ['{"task_id":"t-99","task_id":"t-1"}', '{"n":1e400}', '{"n":"\\ud800"}']) {
      expect(await live(args)).toBe('MalformedJson');
    }
  });

  it('another command: drift', async () => {
    const payload = f.payload({ cmd: 'get_task' });
    const body = { command: 'delete_task' };
    expect(await f.verdict(f.request({ payload, body }))).toBe('CredentialDrift');
  });
});

describe('arguments the schema refuses cost no approval', () => {
  it('is told the path, and the same credential may not be bent to fit', async () => {
    const payload = f.payload({ cmd: 'update_task', args: { task_id: 't-99', done: 'yes' } });
    const answer = await f.execute(f.request({ payload }));
    expect(answer.body).toMatchObject({ code: 'MalformedRequest', path: 'args.done', layer: 'rs' });
    const { jti } = f.claims(payload);
    expect((await f.http('GET', `/v1/executions/${jti}`)).status).toBe(404);
  });
});

describe('a lying vault', () => {
  it('mints without a signature: the forged one does not verify', async () => {
    const payload = f.payload();
    const mallory = keyPair();
    const { signature } = signRaw(mallory, payload);
    const signed = { payload, signature: { ...signature, key_id: f.alice.keyId } };
    expect(await f.verdict(f.request({ payload, signed }))).toBe('SignatureMismatch');
  });

  it('mints for other arguments beside a genuine signature', async () => {
    const harmless = f.payload({ args: NOBODY });
    const harmful = { ...harmless, args: { task_id: 't-1' } };
    const signed = signRaw(f.alice, harmless);
    for (const hashOf of [harmless, harmful]) {
      const { consent } = f.claims(hashOf);
      const body = f.request({ payload: harmful, signed, claims: { consent } });
      expect(await f.verdict(body)).toBe('SignatureMismatch');
    }
  });

  const swaps: [string, Partial<Form2Payload>][] = [
    ['the binding message', { binding_message: 'Water the plants' }],
    ['the consent id', { nonce: 'another' }],
    ['the deadline', { exp: 4_000_000_000 }],
    ['the type', { rar_type: 'other' }],
    ['the audience', { aud: 'http://other.example' }],
    ['the client', { client_id: 'other-agent' }],
    ['the approver', { approver_id: 'bob' }],
    ['the command', { cmd: 'get_task' }],
    ['the arguments', { args: { task_id: 't-2' } }],
  ];
  it.each(swaps)('relabels %s of what the human signed', async (_name, change) => {
    const wanted = f.payload();
    const signed = signRaw(f.alice, { ...wanted, ...change });
    // The vault claims what it wants; the signature comes with the payload it was made over, or with the wanted one.
    expect(await f.verdict(f.request({ payload: wanted, signed }))).toBe('SignatureMismatch');
    const posing = { payload: wanted, signature: signed.signature };
    expect(await f.verdict(f.request({ payload: wanted, signed: posing }))).toBe(
      'SignatureMismatch',
    );
  });

  it.each(swaps.slice(2))(
    'relabels %s, and names the signed bytes truly',
    async (_name, change) => {
      const wanted = f.payload();
      const signed = signRaw(f.alice, { ...wanted, ...change });
      const { consent } = f.claims(signed.payload);
      expect(await f.verdict(f.request({ payload: wanted, signed, claims: { consent } }))).toBe(
        'SignatureMismatch',
      );
    },
  );

  it.each([
    ['hash', { hash: 'A'.repeat(43), form: 2 }],
    ['form', { form: 1 }],
    ['nonce', { nonce: 'another' }],
  ])('names another %s than the signed bytes have', async (_name, change) => {
    const payload = f.payload();
    const consent = { ...f.claims(payload).consent, ...change };
    expect(await f.verdict(f.request({ payload, claims: { consent } }))).toBe('SignatureMismatch');
  });

  it('presents a form 1 signature as form 2, or the other way', async () => {
    const { v, aud, client_id, nonce, ...form1 } = f.payload();
    const form2 = { v, ...form1, aud, client_id, nonce };
    const asForm2 = { payload: form2, signature: signRaw(f.alice, form1).signature };
    expect(await f.verdict(f.request({ payload: form2, signed: asForm2 }))).toBe(
      'SignatureMismatch',
    );
    const asForm1 = { payload: form1, signature: signRaw(f.alice, form2).signature };
    expect(await f.verdict(f.request({ payload: form1, signed: asForm1 }))).toBe(
      'SignatureMismatch',
    );
  });

  it('mints two credentials over one signature: the action runs once', async () => {
    const payload = f.payload({ args: { task_id: 't-2' } });
    const first = f.request({ payload });
    const second = f.request({ payload });
    const verdicts = await Promise.all([f.verdict(first), f.verdict(second)]);
    expect(verdicts.sort()).toEqual(['SignatureReplay', 'success']);
  });

  it('and a second ECDSA signature made from the first is the same approval', async () => {
    const payload = f.payload({ args: NOBODY });
    expect(await f.verdict(f.request({ payload }))).toBe('failure');
    const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
    const signed = signRaw(f.alice, payload);
    const raw = Buffer.from(signed.signature.signature, 'base64url');
    const s = order - BigInt(`0x${raw.subarray(32).toString('hex')}`);
    const flipped = Buffer.concat([
      raw.subarray(0, 32),
      Buffer.from(s.toString(16).padStart(64, '0'), 'hex'),
    ]).toString('base64url');
    const malleated = { payload, signature: { ...signed.signature, signature: flipped } };
    const verdict = await f.verdict(f.request({ payload, signed: malleated }));
    expect(verdict).toBe('SignatureReplay');
  });
});

it('nothing above changed a task it should not', async () => {
  expect(await f.taskIds()).toEqual(['t-1', 't-3']);
});
