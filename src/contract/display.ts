/**
 * One renderer's model for text nobody vouches for, used by page, terminal and notification alike: what reads as it
 * looks stays text, everything else becomes a visible mark. The signed bytes are not touched.
 */
import { lookalikesIn } from './lookalike.js';
import type { MarkReason } from './mark-reason.js';
import { isWrittenMark, natureOf } from './mark-reason.js';

export type { MarkReason } from './mark-reason.js';

export interface TextSegment {
  readonly kind: 'text';
  readonly text: string;
}

export interface MarkSegment {
  readonly kind: 'mark';
  readonly codePoint: number;
  /** `U+` and at least four uppercase hex digits. */
  readonly label: string;
  readonly reason: MarkReason;
  /** The character itself where it may be used too: a lookalike stands beside its label, a line feed or tab may move on. */
  readonly glyph?: string;
}

export type Segment = TextSegment | MarkSegment;

const PLAIN_ASCII = /^[ -~]*$/;

/**
 * A recommended emoji with its joiners and selectors (UTS 51). What stands before the last term changes nothing but the time: thousands of sequences are not
 * tried where none begins, nor at an emoji that stands alone.
 */
const EMOJI = String.raw`(?!\p{RI})\p{Emoji_Presentation}(?![\u200d\ufe0f\p{EMod}\u{e0020}-\u{e007f}])|(?=\p{Emoji})\p{RGI_Emoji}`;
/**
 * `plain` is ASCII punctuation, an emoji, or the fullwidth
 * punctuation of a Chinese or Japanese sentence. `word` holds letters with what belongs to them. Else: one code point.
 */
const CJK = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{scx=Bopo}]`;
const TOKEN = new RegExp(
  String.raw`(?<plain>[\x20-\x2f\x3a-\x40\x5b-\x5e\x60\x7b-\x7e]+|${EMOJI}|(?<=${CJK})[！（），：；？]|[！（），：；？](?=${CJK}))` +
    String.raw`|(?<word>[\p{L}\p{N}_][\p{L}\p{M}\p{N}_]*)|[^]`,
  'vy',
);

/**
 * Splits `text` into what may be shown as it is and what must be marked. Nothing is dropped or reordered: the segments
 * hold every code point of `text`. Linear time.
 */
export function displaySegments(text: string): Segment[] {
  if (text === '') return [];
  if (PLAIN_ASCII.test(text)) return [{ kind: 'text', text }];
  const segments = new SegmentList(text);
  for (const { token, isPlain } of tokensOf(text)) {
    if (isPlain) segments.keep(token);
    else segments.examine(token);
  }
  return segments.list;
}

interface Token {
  readonly token: string;
  readonly isPlain: boolean;
}

/** UTF-16 code units of any recommended emoji and of the character after it, which decides whether it stands alone. */
const EMOJI_REACH = 18;

/** Whether an emoji depends on what follows is decided once for each distinct stretch: it is what takes the time. */
function* tokensOf(text: string): Generator<Token, void, undefined> {
  const decided = new Map<string, Token>();
  for (let at = 0; at < text.length;) {
    const stretch = mayJoin(text, at) ? text.slice(at, at + EMOJI_REACH) : undefined;
    const known = stretch === undefined ? undefined : decided.get(stretch);
    const next = known ?? tokenAt(text, at);
    // A longer one, which is no emoji, may depend on more than the stretch.
    if (stretch !== undefined && next.token.length <= EMOJI_REACH - 2) decided.set(stretch, next);
    yield next;
    at += next.token.length;
  }
}

function tokenAt(text: string, at: number): Token {
  TOKEN.lastIndex = at;
  const match = TOKEN.exec(text);
  const token = match?.[0] ?? text.charAt(at);
  return { token, isPlain: match?.groups?.['plain'] !== undefined || PLAIN_ASCII.test(token) };
}

/** True where a surrogate pair is followed by a joiner, a selector or another pair: all that emoji sequences are made of. */
function mayJoin(text: string, at: number): boolean {
  if (!isHighSurrogate(text.charCodeAt(at))) return false;
  const after = text.charCodeAt(at + 2);
  return after === 0x200d || after === 0xfe0f || isHighSurrogate(after);
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

/** Plain-text form of {@link displaySegments}, where `⟨U+202E⟩` stands for a mark. Different texts stay different. */
export function displayText(text: string): string {
  return displaySegments(text).map(plainText).join('');
}

function plainText(segment: Segment): string {
  if (segment.kind === 'text') return segment.text;
  const shown = segment.reason === 'lookalike' ? (segment.glyph ?? '') : '';
  return `${shown}⟨${segment.label}⟩`;
}

class SegmentList {
  readonly list: Segment[] = [];
  readonly #lookalikesOf: (word: string) => (character: string) => boolean;

  constructor(text: string) {
    this.#lookalikesOf = lookalikesIn(text);
  }

  keep(text: string): void {
    const last = this.list.at(-1);
    if (last?.kind === 'text')
      this.list[this.list.length - 1] = { kind: 'text', text: last.text + text };
    else this.list.push({ kind: 'text', text });
  }

  /** A word or a single code point: keeps or marks each of its characters. */
  examine(token: string): void {
    const isLookalike = this.#lookalikesOf(token);
    let base = '';
    let pile = 0;
    for (const character of token) {
      const reason = natureOf(character) ?? (isLookalike(character) ? 'lookalike' : undefined);
      if (reason === 'combining' && isWrittenMark(character, base, ++pile)) this.keep(character);
      else {
        if (reason === undefined) this.keep(character);
        else this.#mark(character, reason);
        base = reason === undefined ? character : '';
        pile = 0;
      }
    }
  }

  #mark(character: string, reason: MarkReason): void {
    const codePoint = character.codePointAt(0) ?? 0;
    const label = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`;
    const usable = reason === 'lookalike' || character === '\n' || character === '\t';
    this.list.push({
      kind: 'mark',
      codePoint,
      label,
      reason,
      ...(usable ? { glyph: character } : {}),
    });
  }
}
