/**
 * Why a character may not be shown as it is:
 * - `control`: moves the cursor or ends the line (Cc, line and paragraph separators);
 * - `bidi`: reorders what is read;
 * - `surrogate`: half of a pair, which cannot be signed;
 * - `private`: private use or unassigned, so every font decides for itself;
 * - `unusual-space`: a space that is not U+0020;
 * - `invisible`: leaves no ink (zero-width, fillers, tags, variation selectors outside an emoji);
 * - `combining`: changes the letter before it or piles up on it;
 * - `lookalike`: passes for another character.
 */
export type MarkReason =
  | 'control'
  | 'bidi'
  | 'surrogate'
  | 'private'
  | 'unusual-space'
  | 'invisible'
  | 'combining'
  | 'lookalike';

/** The first class that holds a character names the reason. */
const CLASSES: readonly { readonly reason: MarkReason; readonly members: RegExp }[] = [
  { reason: 'control', members: /^[\p{Cc}\p{Zl}\p{Zp}]/u },
  { reason: 'bidi', members: /^\p{Bidi_Control}/u },
  { reason: 'surrogate', members: /^\p{Cs}/u },
  { reason: 'private', members: /^[\p{Co}\p{Cn}]/u },
  { reason: 'unusual-space', members: /^(?! )[\p{Zs}\u2800]/u },
  { reason: 'invisible', members: /^[\p{Default_Ignorable_Code_Point}\p{Cf}]/u },
  { reason: 'combining', members: /^\p{M}/u },
];

/** Reason to mark one code point by its own nature; undefined for ink that stands for itself. */
export function natureOf(character: string): MarkReason | undefined {
  return CLASSES.find(({ members }) => members.test(character))?.reason;
}

/** Diacritics that go on any letter, as opposed to the vowel signs and tones of one script. */
const GENERAL_DIACRITIC =
  /^[\p{Me}\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\u3099\u309a\ufe20-\ufe2f]/u;

/** Scripts whose ordinary text has one code point for a letter with its accent. */
const PRECOMPOSED =
  /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;

/** More marks than any language stacks on one letter; beyond it they run over the lines above and below. */
const HIGHEST_PILE = 4;

/** True for the `pile`-th mark on `base`, where the script of `base` cannot be written without marks (Thai, Hindi, Hebrew). */
export function isWrittenMark(mark: string, base: string, pile: number): boolean {
  return (
    /^\p{L}/u.test(base) &&
    !PRECOMPOSED.test(base) &&
    !GENERAL_DIACRITIC.test(mark) &&
    pile <= HIGHEST_PILE
  );
}
