import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { Attempt } from '../../../src/cli/attempt.js';
import { Narration } from '../../../src/cli/narration.js';

function listen(prose: boolean): { story: Narration; heard: () => string } {
  const out = new PassThrough();
  const story = new Narration(out as unknown as NodeJS.WriteStream, { prose });
  return { story, heard: () => String(out.read() ?? '') };
}
const claimed = { code: 'SignatureReplay', layer: 'vault' } as const;

test('what went as claimed is [OK] or [REJECTED] with the code and layer that were answered', () => {
  const { story, heard } = listen(false);
  story.claim(true, 'it holds');
  story.refused('an attack', claimed, { kind: 'refused', ...claimed });
  expect(heard()).toBe('[OK] it holds\n[REJECTED] SignatureReplay (vault) an attack\n');
  expect(story.differences).toBe(0);
});

test.each<[string, Attempt]>([
  ['got through', { kind: 'done', what: 'a credential was minted' }],
  ['another code', { kind: 'refused', code: 'SignatureMismatch', layer: 'vault' }],
  ['another layer', { kind: 'refused', code: 'SignatureReplay', layer: 'rs' }],
])('an attack that %s is a difference and says what really came', (_name, attempt) => {
  const { story, heard } = listen(true);
  story.refused('an attack', claimed, attempt);
  expect(story.differences).toBe(1);
  const really = attempt.kind === 'done' ? attempt.what : `${attempt.code} (${attempt.layer})`;
  expect(heard()).toBe(
    `[DIFFERS] an attack: ${really}, where SignatureReplay (vault) was claimed\n`,
  );
});

test('a claim that does not hold is a difference', () => {
  const { story, heard } = listen(false);
  story.claim(false, 'it holds');
  expect(heard()).toBe('[DIFFERS] it holds\n');
  expect(story.differences).toBe(1);
});

test('no colour where nobody sees it', () => {
  const { story, heard } = listen(true);
  story.heading('A heading');
  story.say('prose');
  expect(heard()).not.toMatch(/\u001b/);
});
