/**
 * CANONICAL.md says nothing that is not so: its examples are the vectors, its programs run.
 * `UPDATE_EXAMPLES=1 npx vitest run test/unit/contract/canonical-md.test.ts` writes the examples anew.
 */
import { spawnSync } from 'node:child_process';
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { canonicalBytes } from '../../../src/contract/canonical.js';
import type { Payload } from '../../../src/contract/payload.js';
import * as schemas from '../../../src/contract/payload.js';
import { hasPython } from '../../oracle/run-oracle.js';
import type { Vector } from '../../vectors/load-vectors.js';
import { loadVectors } from '../../vectors/load-vectors.js';

const ROOT = `${import.meta.dirname}/../../..`;
const PAGE = `${ROOT}/CANONICAL.md`;
const page = readFileSync(PAGE, 'utf8');
const vectors = [...loadVectors().values()].flat();

/** The vectors shown on the page, by name and form. */
const SHOWN = [
  ['minimal', 1],
  ['minimal', 2],
  ['non-ascii approver', 1],
  ['non-ascii approver', 2],
  ['astral after BMP key', 1],
  ['astral after BMP key', 2],
  ['float in dict', 1],
  ['fraction in dict', 2],
  ['lone surrogate deep in a name', 2],
  ['duplicate name spelled differently', 1],
] as const;

/** The published test key of RFC 8032 section 7.1 (test 1), as RFC 8037 appendix A writes it. */
const jwk = {
  kty: 'OKP',
  crv: 'Ed25519',
  d: 'nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A',
  x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
};

function vector(name: string, form: 1 | 2): Vector {
  const found = vectors.find((v) => v.name === name && v.form === form);
  if (!found) throw new Error(`no vector ${name} in form ${form}`);
  return found;
}

function exampleOf(name: string, form: 1 | 2): string {
  const shown = vector(name, form);
  const lines = [
    'raw' in shown ? `raw        ${shown.raw}` : `payload    ${JSON.stringify(shown.payload)}`,
    ...('refused' in shown
      ? [`refused    ${shown.refused}`, `path       ${shown.path}`]
      : [
          `canonical  ${Buffer.from(shown.canonical_hex, 'hex').toString('utf8')}`,
          `sha256     ${shown.sha256}`,
          ...(shown.hmac_sha256 === undefined ? [] : [`hmac       ${shown.hmac_sha256}`]),
        ]),
  ];
  return [`**${name}, form ${form}**`, '', '```text', ...lines, '```'].join('\n');
}

function signedExample(): { payload: Payload; signature: { key_id: string; signature: string } } {
  const shown = vector('minimal', 2);
  if (!('payload' in shown)) throw new Error('minimal is not raw');
  const payload = schemas.form2Payload.parse(shown.payload);
  const key = createPrivateKey({ key: jwk, format: 'jwk' });
  const thumbprint = `{"crv":"${jwk.crv}","kty":"${jwk.kty}","x":"${jwk.x}"}`;
  return {
    payload,
    signature: {
      scheme: 'eddsa',
      key_id: createHash('sha256').update(thumbprint).digest('base64url'),
      signature: sign(null, canonicalBytes(payload, 'vault'), key).toString('base64url'),
    } as { key_id: string; signature: string },
  };
}

function examples(): string {
  const { payload, signature } = signedExample();
  const digest = createHash('sha256').update(canonicalBytes(payload, 'vault'));
  return [
    ...SHOWN.map(([name, form]) => exampleOf(name, form)),
    '**A signed payload**: minimal in form 2, signed with the published test key of RFC 8037 appendix A; and the\nchallenge of a WebAuthn assertion over the same payload.',
    [
      '```text',
      `private    ${JSON.stringify(jwk)}`,
      `signed     ${JSON.stringify({ payload, signature })}`,
      `challenge  ${digest.digest('base64url')}`,
      '```',
    ].join('\n'),
  ].join('\n\n');
}

const MARKED = /(?<=<!-- examples:begin -->\n)[^]*(?=<!-- examples:end -->)/;

/** The text of the only fenced block in `language`. */
function program(language: string): string {
  const block = new RegExp(`\`\`\`${language}\n([^]*?)\`\`\``).exec(page)?.[1];
  if (block === undefined) throw new Error(`no ${language} program`);
  return block;
}

test('the examples are the vectors', () => {
  const expected = `\n${examples()}\n\n`;
  if (process.env['UPDATE_EXAMPLES'] === '1') {
    writeFileSync(
      PAGE,
      page.replace(MARKED, () => expected),
    );
  }
  expect(MARKED.exec(readFileSync(PAGE, 'utf8'))?.[0]).toBe(expected);
});

describe('the signed payload', () => {
  const { payload, signature } = signedExample();

  test('has the published thumbprint of RFC 8037 appendix A.3 for its key id', () => {
    expect(signature.key_id).toBe('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
  });

  test('fits the wire schema and verifies', () => {
    expect(schemas.signedPayload.parse({ payload, signature })).toEqual({ payload, signature });
    const key = createPublicKey({ key: { kty: jwk.kty, crv: jwk.crv, x: jwk.x }, format: 'jwk' });
    const bytes = canonicalBytes(payload, 'rs');
    expect(verify(null, bytes, key, Buffer.from(signature.signature, 'base64url'))).toBe(true);
  });
});

describe('the programs', () => {
  test.skipIf(!hasPython)('form 1 in Python', () => {
    const shown = vector('non-ascii approver', 1);
    if (!('payload' in shown) || !('hmac_sha256' in shown)) throw new Error('not a signed vector');
    const { stdout, stderr } = spawnSync('python3', ['-c', program('python')], {
      input: JSON.stringify(shown.payload),
      encoding: 'utf8',
    });
    expect([stderr, stdout]).toEqual(['', `${shown.hmac_sha256 ?? ''}\n`]);
  });

  test('form 2 in Node', () => {
    const { payload, signature } = signedExample();
    const call = `console.log(signForm2(${JSON.stringify(payload)}, ${JSON.stringify(jwk)}))`;
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--input-type=module', '--eval', `${program('js')}\n${call}`],
      { cwd: ROOT, encoding: 'utf8' },
    );
    expect([stderr, stdout]).toEqual(['', `${signature.signature}\n`]);
  });
});
