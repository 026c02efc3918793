/** The one renderer of hostile text: what it writes holds nothing that deceives, and different texts stay different. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { displaySegments, displayText } from '../../../src/contract/display.js';
import { cases, TIME } from './runs.js';

/** Control, bidi, invisible (but for the joiners and selectors inside an emoji), private, surrogates, odd spaces. */
const NEVER = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}\p{Co}\p{Cn}]|(?! )\p{Zs}/u;
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/u;
const EMOJI = new RegExp(String.raw`\p{RGI_Emoji}`, 'gv');

const PIECES = [
  ...Array.from('aZ9 <>&"⟨⟩U+漢字かЖаеоαονé한ไ้नमस्ते'),
  ...['\u0000', '\u0007', '\u001b[2J', '\n', '\r', '\t', '\u007f', '\u0085', '\u009b'],
  ...[
    '\u200b',
    '\u200c',
    '\u200d',
    '\u2060',
    '\ufeff',
    '\u00ad',
    '\u034f',
    '\u180e',
    '\u3164',
    '\u115f',
  ],
  ...[
    '\u202a',
    '\u202b',
    '\u202c',
    '\u202d',
    '\u202e',
    '\u2066',
    '\u2067',
    '\u2068',
    '\u2069',
    '\u200e',
    '\u061c',
  ],
  ...[
    '\u2028',
    '\u2029',
    '\u00a0',
    '\u3000',
    '\u2800',
    '\u0301',
    '\u0489',
    '\u20dd',
    '\ufe0f',
    '\ufe0e',
  ],
  ...[
    '\ud800',
    '\udfff',
    '\ue000',
    '\ufffe',
    '\u{10ffff}',
    '\u{e0001}',
    '\u{e0041}',
    '\u{e007f}',
    '\u{e0100}',
  ],
  ...[
    '⟨U+202E⟩',
    'а⟨U+0430⟩',
    'U+',
    '👩‍👧',
    '❤️',
    '1️⃣',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    '🇩🇪',
    '👍🏽',
    'ＡＢ',
    '𝐚',
    'ﬁ',
    '∕',
    '‐',
  ],
];
const hostile = fc
  .array(fc.constantFrom(...PIECES), { maxLength: 12 })
  .map((parts) => parts.join(''));
const anything = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.array(fc.nat(0xffff), { maxLength: 12 }).map((units) => String.fromCharCode(...units)),
);

function isHarmless(text: string): void {
  const shown = displayText(text);
  const bare = shown.replace(EMOJI, '');
  if (NEVER.test(shown) || INVISIBLE.test(bare)) expect.fail(JSON.stringify({ text, shown }));
  const whole = displaySegments(text)
    .map((s) => (s.kind === 'text' ? s.text : String.fromCodePoint(s.codePoint)))
    .join('');
  if (whole !== text) expect.fail(JSON.stringify({ text, whole }));
}

test('nothing that deceives comes out, and nothing gets lost: hostile pieces', TIME, () => {
  fc.assert(fc.property(hostile, isHarmless), cases());
});

test('nothing that deceives comes out, and nothing gets lost: any code units', TIME, () => {
  fc.assert(fc.property(anything, isHarmless), cases());
});

test('no two of all texts tried look alike', TIME, () => {
  const seen = new Map<string, string>();
  fc.assert(
    fc.property(hostile, (text) => {
      const shown = displayText(text);
      const earlier = seen.get(shown);
      if (earlier !== undefined && earlier !== text) expect.fail(JSON.stringify([earlier, text]));
      seen.set(shown, text);
    }),
    cases(),
  );
  console.log(`${seen.size} different texts, as many appearances`);
});
