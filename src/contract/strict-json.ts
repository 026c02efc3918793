import type { Layer } from './errors.js';
import { Refusal } from './errors.js';
import { hasLoneSurrogate, isExactNumber, MAX_DEPTH } from './json-check.js';
import type { JsonValue } from './json.js';
import type { Step } from './path.js';
import { pathOf } from './path.js';

/**
 * Reads one JSON text (RFC 8259) and refuses every text that two parsers could read differently: duplicate member
 * names, lone surrogates, numbers that are not the double they become (beyond ±(2^53-1), overflow, underflow to zero,
 * `-0`), and nesting over the limit. `__proto__` is a member like any other. Linear time, bounded stack.
 * @throws Refusal MalformedJson with the path of the value that was being read (notation of CANONICAL.md).
 */
export function parseStrictJson(text: string, layer: Layer): JsonValue {
  return new Reader(text, layer).document();
}

/**
 * A payload may be {@link MAX_DEPTH} deep and travels inside a few envelopes, so a text may be a little deeper: else an
 * action could be proposed and approved, and then be too deep for the body that carries it with its signature.
 */
const MAX_TEXT_DEPTH = MAX_DEPTH + 8;

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
/** A number token that means zero and does not merely round to it, as `1e-400` does. */
const ZERO = /^-?[0.]+(?:[eE]|$)/;

const SPACE = 0x20;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

class Reader {
  #at = 0;
  readonly #steps: Step[] = [];

  constructor(
    private readonly text: string,
    private readonly layer: Layer,
  ) {}

  document(): JsonValue {
    const value = this.#value(1);
    if (this.#next() !== '') this.#refuse();
    return value;
  }

  /** The next character that is not white space; empty at the end of the text. Does not move past it. */
  #next(): string {
    for (; ; this.#at++) {
      const character = this.text.charAt(this.#at);
      if (character !== ' ' && character !== '\n' && character !== '\t' && character !== '\r') {
        return character;
      }
    }
  }

  #take(character: string): boolean {
    if (this.#next() !== character) return false;
    this.#at++;
    return true;
  }

  #expect(character: string): void {
    if (!this.#take(character)) this.#refuse();
  }

  #value(depth: number): JsonValue {
    switch (this.#next()) {
      case '{':
        return this.#object(depth);
      case '[':
        return this.#list(depth);
      case '"': {
        const text = this.#string();
        return hasLoneSurrogate(text) ? this.#refuse() : text;
      }
      case 't':
        return this.#literal('true', true);
      case 'f':
        return this.#literal('false', false);
      case 'n':
        return this.#literal('null', null);
      default:
        return this.#number();
    }
  }

  #object(depth: number): JsonValue {
    if (depth > MAX_TEXT_DEPTH) this.#refuse();
    this.#at++;
    const object: Record<string, JsonValue> = {};
    if (this.#take('}')) return object;
    do {
      if (this.#next() !== '"') this.#refuse();
      const name = this.#string();
      this.#steps.push(name);
      if (hasLoneSurrogate(name) || Object.hasOwn(object, name)) this.#refuse();
      this.#expect(':');
      define(object, name, this.#value(depth + 1));
      this.#steps.pop();
    } while (this.#take(','));
    this.#expect('}');
    return object;
  }

  #list(depth: number): JsonValue {
    if (depth > MAX_TEXT_DEPTH) this.#refuse();
    this.#at++;
    const list: JsonValue[] = [];
    if (this.#take(']')) return list;
    do {
      this.#steps.push(list.length);
      list.push(this.#value(depth + 1));
      this.#steps.pop();
    } while (this.#take(','));
    this.#expect(']');
    return list;
  }

  /** The string whose opening quote is next. Escapes are left to JSON.parse, which knows exactly those of RFC 8259. */
  #string(): string {
    const start = this.#at;
    let escaped = false;
    for (let end = start + 1; end < this.text.length; end++) {
      const unit = this.text.charCodeAt(end);
      if (unit === QUOTE) {
        this.#at = end + 1;
        return escaped
          ? this.#unescape(this.text.slice(start, end + 1))
          : this.text.slice(start + 1, end);
      }
      if (unit < SPACE) this.#refuse();
      if (unit === BACKSLASH) {
        escaped = true;
        end++;
      }
    }
    return this.#refuse();
  }

  #unescape(literal: string): string {
    try {
      return String(JSON.parse(literal));
    } catch {
      return this.#refuse();
    }
  }

  #number(): number {
    NUMBER.lastIndex = this.#at;
    if (!NUMBER.test(this.text)) this.#refuse();
    const token = this.text.slice(this.#at, NUMBER.lastIndex);
    this.#at = NUMBER.lastIndex;
    const value = Number(token);
    if (!isExactNumber(value) || (value === 0 && !ZERO.test(token))) this.#refuse();
    return value;
  }

  #literal<T extends JsonValue>(word: string, value: T): T {
    if (!this.text.startsWith(word, this.#at)) this.#refuse();
    this.#at += word.length;
    return value;
  }

  #refuse(): never {
    throw new Refusal('MalformedJson', this.layer, { path: pathOf(this.#steps) });
  }
}

/** An assignment, except that assigning to `__proto__` would set the prototype instead of a member. */
function define(object: Record<string, JsonValue>, name: string, value: JsonValue): void {
  if (name !== '__proto__') object[name] = value;
  else
    Object.defineProperty(object, name, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
}
