import type { CanonicalForm } from './canonical-form.js';

/** JSON text of `text` in ASCII alone: all but U+0020 to U+007E leave as lowercase `\uXXXX` per UTF-16 code unit. */
export function asciiString(text: string): string {
  return JSON.stringify(text).replace(/[\u007f-\uffff]/g, escapeUnit);
}

function escapeUnit(unit: string): string {
  return `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** Form 1: Python's `json.dumps(sort_keys=True, separators=(',', ':'), ensure_ascii=True)`, integers only. */
export const form1: CanonicalForm = {
  string: asciiString,
  allows: Number.isInteger,
  compare: byCodePoint,
};

/** Unicode code point order. Differs from UTF-16 order only where a surrogate meets U+E000 to U+FFFF. */
function byCodePoint(a: string, b: string): number {
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) {
    const x = a.charCodeAt(i);
    const y = b.charCodeAt(i);
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Places surrogates, which begin code points from U+10000, after all other code units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
