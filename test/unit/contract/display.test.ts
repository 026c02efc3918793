import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { MarkReason } from '../../../src/contract/display.js';
import { displaySegments, displayText } from '../../../src/contract/display.js';

const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.integer({ min: 0, max: 0xffff })).map((units) => String.fromCharCode(...units)),
  fc
    .array(
      fc.constantFrom(
        ...Array.from('aé漢а\u0301\u200d\u202e\ud800\u3000⟨⟩Ｕ+（'),
        'U+202E',
        '❤️',
        '👩‍👧',
      ),
    )
    .map((parts) => parts.join('')),
);

/** Reasons of all marks in `text`, in order. */
const reasons = (text: string): MarkReason[] =>
  displaySegments(text).flatMap((segment) => (segment.kind === 'mark' ? [segment.reason] : []));

test.each([
  ['nothing', ''],
  ['ASCII', 'Delete t-42? <b>&amp;</b> "quoted" `rm -rf /` 100% {a: [1]}'],
  ['Latin with accents', 'Ñandú, straße, İstanbul, Việt Nam, naïve œuvre'],
  ['Cyrillic', 'Удалить задачу № 42?'],
  ['Cyrillic beside Latin', 'Привет! Удалить report.txt из папки Downloads'],
  ['Greek', 'Διαγραφή της εργασίας;'],
  ['Hebrew, with points', 'שָׁלוֹם עולם'],
  ['Arabic, with marks', 'مَرْحَبًا بالعالم ٤٢'],
  ['Hindi', 'नमस्ते क्षत्रिय'],
  ['Thai', 'สวัสดีน้ำ'],
  ['Chinese with its punctuation', '删除任务（第42号）吗？好，确定！'],
  ['Japanese mixing Latin', 'Tシャツを削除しますか。「OK」'],
  ['Korean', '작업을 삭제할까요?'],
  ['emoji with joiners, selectors, tones, flags', '👩‍👩‍👧 ❤️ 1️⃣ 👍🏽 🇩🇪 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🙂'],
  ['typography', '“a” – ‘b’ — c… € £ ½ m² H₂O ① ™ © ×'],
])('ordinary text stays text: %s', (_name, text) => {
  expect(displaySegments(text)).toEqual(text === '' ? [] : [{ kind: 'text', text }]);
  expect(displayText(text)).toBe(text);
});

test.each<[MarkReason, string]>([
  ['control', '\u0000 \u0007 \u001b \r \u007f \u0085 \u009b \u2028 \u2029'],
  ['bidi', '\u061c \u200e \u200f \u202a \u202b \u202c \u202d \u202e \u2066 \u2067 \u2068 \u2069'],
  [
    'invisible',
    '\u00ad \u034f \u115f \u1160 \u17b4 \u180e \u200b \u200c \u200d \u2060 \u2064 \u3164',
  ],
  ['invisible', '\ufeff \uffa0 \ufe00 \ufe0f \ufff9 \u{1d173} \u{e0001} \u{e0041} \u{e0100}'],
  ['combining', '\u0301 \u0336 \u0489 \u1ab0 \u1dc0 \u20d0 \u20e3 \ufe20'],
  ['unusual-space', '\u00a0 \u1680 \u2000 \u2003 \u200a \u202f \u205f \u3000 \u2800'],
  ['surrogate', '\ud800 \udbff \udc00 \udfff'],
  ['private', '\ue000 \uf8ff \u{f0000} \u{10fffd} \uffff \u{1fffe} \u0378'],
  ['lookalike', 'Ａ ｚ ０ ／ ： ﹕ ﹫ 𝐚 𝟎 ﬁ Ⅳ \u212a \u037e ‐ ⁄ ∕ ∶ ǃ ⟨ ⟩'],
])('%s: each of %j is marked', (reason, list) => {
  for (const character of list.split(' ')) {
    const codePoint = character.codePointAt(0) ?? 0;
    const label = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
    const marks = displaySegments(`a ${character} b`).filter(({ kind }) => kind === 'mark');
    expect(marks, label).toMatchObject([{ codePoint, label, reason }]);
  }
});

describe('what hides in ordinary text', () => {
  test.each([
    ['right-to-left override', 'photo\u202egpj.exe', 'photo⟨U+202E⟩gpj.exe'],
    ['zero width space', 'pay\u200bpal', 'pay⟨U+200B⟩pal'],
    ['line feed and tab', 'a\nb\tc', 'a⟨U+000A⟩b⟨U+0009⟩c'],
    ['decomposed accent', 'e\u0301 and é', 'e⟨U+0301⟩ and é'],
    ['Cyrillic in a Latin word', 'p\u0430ypal.com', 'p\u0430⟨U+0430⟩ypal.com'],
    ['Greek in a Latin word', '\u03bfpen', '\u03bf⟨U+03BF⟩pen'],
    ['Armenian in a Latin word', '\u0570ello', '\u0570⟨U+0570⟩ello'],
    [
      'a wholly Cyrillic label',
      '\u0430\u0440\u0440\u04cf\u0435.com',
      '\u0430⟨U+0430⟩\u0440⟨U+0440⟩\u0440⟨U+0440⟩\u04cf⟨U+04CF⟩\u0435⟨U+0435⟩.com',
    ],
    ['a wholly Cyrillic text', '\u0421\u041c', '\u0421⟨U+0421⟩\u041c⟨U+041C⟩'],
    ['fullwidth colon in a URL', 'https：//a', 'https：⟨U+FF1A⟩//a'],
    ['tags after a flag', '🇩🇪\u{e0061}', '🇩🇪⟨U+E0061⟩'],
    ['a joiner that joins nothing', 'a\u200db 👩\u200d', 'a⟨U+200D⟩b 👩⟨U+200D⟩'],
    ['half an emoji', '\ud83d!', '⟨U+D83D⟩!'],
    [
      'a pile of Thai marks',
      'ก' + '\u0e34'.repeat(6),
      'ก' + '\u0e34'.repeat(4) + '⟨U+0E34⟩⟨U+0E34⟩',
    ],
    ['a mark that would sit on a label', '\u200d\u0941', '⟨U+200D⟩⟨U+0941⟩'],
    ['a general accent on a Thai letter', 'ก\u0301', 'ก⟨U+0301⟩'],
    ['a mark after a marked letter', 'a\u0917\u0941', 'a\u0917⟨U+0917⟩⟨U+0941⟩'],
    ['a mark of another script', 'a\u064e', 'a⟨U+064E⟩'],
    ['text that imitates a label', '⟨U+202E⟩', '⟨⟨U+27E8⟩U+202E⟩⟨U+27E9⟩'],
  ])('%s', (_name, text, shown) => {
    expect(displayText(text)).toBe(shown);
  });

  test('a glyph comes with lookalikes, line feed and tab only', () => {
    const glyphs = displaySegments('a\n\t\r\u202ep\u0430\u00a0\u0301').flatMap((segment) =>
      segment.kind === 'mark' ? [segment.glyph] : [],
    );
    expect(glyphs).toEqual(['\n', '\t', undefined, undefined, '\u0430', undefined, undefined]);
  });

  test('the dangerous part at the end of 60 kB is marked', () => {
    expect(reasons('é'.repeat(60_000) + '\u202e')).toEqual(['bidi']);
  });
});

test('segments hold every code point in order', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const rebuilt = displaySegments(text).map((segment) =>
        segment.kind === 'text' ? segment.text : String.fromCodePoint(segment.codePoint),
      );
      expect(rebuilt.join('')).toBe(text);
    }),
    { numRuns: 2000 },
  );
});

test('what is kept as text has no control, bidi, private or lone surrogate in it', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      const kept = displaySegments(text).flatMap((s) => (s.kind === 'text' ? [s.text] : []));
      expect(kept.join('\n')).not.toMatch(
        /(?!\n)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Co}\p{Cs}]/u,
      );
      expect(kept.every((part) => part !== '')).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test('displayText is injective: it can be read back', () => {
  const readBack = (shown: string): string =>
    shown.replace(/(.?)⟨U\+([0-9A-F]{4,6})⟩/gsu, (_all, before: string, hex: string) => {
      const marked = String.fromCodePoint(parseInt(hex, 16));
      return before === marked ? marked : before + marked;
    });
  fc.assert(
    fc.property(anyText, (text) => {
      // A mark that is shown as a label alone is never also kept as text, so one rule reads both kinds back.
      expect(readBack(displayText(text))).toBe(text);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  ['one long word', 'е'.repeat(60_000)],
  ['one long mixed word', 'aе'.repeat(30_000)],
  ['many words', 'aе '.repeat(20_000)],
  ['marks alone', '\u0301'.repeat(60_000)],
  ['controls alone', '\u202e'.repeat(60_000)],
  ['emoji', '👩‍👩‍👧'.repeat(7500)],
  ['fullwidth punctuation', '，'.repeat(60_000)],
  ['joiners', '👩\u200d'.repeat(20_000)],
])('60 kB of %s takes no time that a person would notice', (_name, text) => {
  const start = performance.now();
  displaySegments(text);
  expect(performance.now() - start).toBeLessThan(2000);
});
