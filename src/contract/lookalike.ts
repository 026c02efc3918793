/**
 * Which characters can pass for others. No table can hold every pair of similar shapes, so these are three rules that
 * cover how hosts, names and sentences are forged in practice; whoever needs certainty reads the canonical bytes.
 */

/** Compatibility forms that nobody takes for the plain character: ellipsis, trade mark, numero, super-, subscript, enclosed. */
const DISTINCT = /^[\u2026\u2122\u2116\u2070-\u209c\u2460-\u24ff]/u;

/** Punctuation that is drawn like `-`, `/`, `:`, `!`, `.`; and the brackets displayText itself writes. */
const DRAWN_LIKE_ASCII =
  /^[\u2010\u2011\u2043\u2212\u2215\u2044\u29f8\u2236\ua789\u01c3\u27e8\u27e9]/u;

/**
 * Rule 1: fullwidth, mathematical, ligature and letterlike forms, which compatibility normalisation (UAX 15, NFKC) turns
 * into ASCII, and the few signs that are merely drawn like ASCII.
 */
function imitatesAscii(character: string): boolean {
  if (character <= '\u00ff') return false;
  if (DRAWN_LIKE_ASCII.test(character)) return true;
  return /^[!-~]+$/.test(character.normalize('NFKC')) && !DISTINCT.test(character);
}

const LATIN = /\p{Script=Latin}/u;

/** Scripts written inside one word with Latin by custom (`Tシャツ`), and characters of no one script. */
const MIXES_WITH_LATIN =
  /^[\p{Script=Latin}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\p{Script=Common}\p{Script=Inherited}]/u;

/** Cyrillic and Greek letters, and those of them that have a Latin shape. Escaped here, or nobody could read the list. */
const DOUBLES = [
  {
    letters: /\p{Script=Cyrillic}/gu,
    // a e i j o p c y x s h l d q w, then A B E S I J K M H O P C T Y X Y G Q W
    latinShaped:
      /^[\u0430\u0435\u0456\u0458\u043e\u0440\u0441\u0443\u0445\u0455\u04bb\u04cf\u0501\u051b\u051d\u0410\u0412\u0415\u0405\u0406\u0408\u041a\u041c\u041d\u041e\u0420\u0421\u0422\u0423\u0425\u04ae\u050c\u051a\u051c]/u,
  },
  {
    letters: /\p{Script=Greek}/gu,
    // a y i k v o p u x c j, then A B E Z H I K M N O P T Y X C J
    latinShaped:
      /^[\u03b1\u03b3\u03b9\u03ba\u03bd\u03bf\u03c1\u03c5\u03c7\u03f2\u03f3\u0391\u0392\u0395\u0396\u0397\u0399\u039a\u039c\u039d\u039f\u03a1\u03a4\u03a5\u03a7\u03f9\u037f]/u,
  },
];

/**
 * Tells, for a word of `text`, which of its characters can pass for another: those of rule 1;
 * rule 2, those of another script than the Latin letters of the word (a Cyrillic `a` in `paypal`);
 * rule 3, the Cyrillic (or Greek) ones, if no Cyrillic (or Greek) letter of the text has a shape of its own.
 */
export function lookalikesIn(text: string): (word: string) => (character: string) => boolean {
  const disguised = DOUBLES.filter(({ letters, latinShaped }) =>
    (text.match(letters) ?? []).every((letter) => latinShaped.test(letter)),
  );
  return (word) => {
    const mixed = LATIN.test(word);
    return (character) =>
      imitatesAscii(character) ||
      (!MIXES_WITH_LATIN.test(character) &&
        (mixed || disguised.some(({ latinShaped }) => latinShaped.test(character))));
  };
}
