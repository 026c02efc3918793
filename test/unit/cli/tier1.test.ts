import { PassThrough } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import { Narration } from '../../../src/cli/narration.js';

afterEach(() => {
  vi.doUnmock('../../../vault/checks/check-signature.js');
  vi.doUnmock('../../../vault/checks/check-unused.js');
  vi.doUnmock('../../../vault/checks/check-not-expired.js');
  vi.resetModules();
});

async function tell(): Promise<{ differences: number; said: string }> {
  vi.resetModules();
  const { tellTier1 } = await import('../../../src/cli/tier1.js');
  const out = new PassThrough();
  const story = new Narration(out as unknown as NodeJS.WriteStream, { prose: false });
  await tellTier1(story);
  return { differences: story.differences, said: String(out.read()) };
}

test('all of tier 1 goes as claimed', async () => {
  expect(await tell()).toMatchObject({ differences: 0 });
});

test('a vault that does not look at signatures is noticed', async () => {
  vi.doMock('../../../vault/checks/check-signature.js', () => ({ checkSignature: () => ({}) }));
  const { differences, said } = await tell();
  expect(differences).toBeGreaterThan(0);
  expect(said).toMatch(/\[DIFFERS\] the signed payload with its arguments changed/);
});

test('a vault that forgets what was signed before is noticed', async () => {
  vi.doMock('../../../vault/checks/check-unused.js', () => ({ checkUnused: () => undefined }));
  const { differences, said } = await tell();
  expect(differences).toBeGreaterThan(0);
  expect(said).toMatch(/\[DIFFERS\] the signature that already minted a credential/);
});

test('a vault without a deadline is noticed', async () => {
  vi.doMock('../../../vault/checks/check-not-expired.js', () => ({ checkNotExpired: () => {} }));
  expect((await tell()).said).toMatch(/\[DIFFERS\] a genuine signature after its deadline/);
});
