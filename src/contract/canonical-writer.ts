import type { CanonicalForm } from './canonical-form.js';
import { Refusal } from './errors.js';
import type { Layer } from './errors.js';
import { hasLoneSurrogate, isExactNumber, isPlainObject, MAX_DEPTH } from './json-check.js';
import { pathOf } from './path.js';
import type { Step } from './path.js';
import { sortNames } from './sort-names.js';

/** Printable ASCII without `"` and `\`: text that both forms write as it is. */
const PLAIN = /^[ !#-[\]-~]*$/;

/**
 * Writes one value in one canonical form and refuses what cannot be signed. Reads every member once; properties that are
 * not JSON members (symbol-keyed, not enumerable) do not exist for it. Depth-bounded, so a cycle ends as a refusal.
 */
export class CanonicalWriter {
  #text = '';
  readonly #steps: Step[] = [];

  /** `maxLength` is in UTF-16 code units and stops a value that holds one object a million times. */
  constructor(
    private readonly form: CanonicalForm,
    private readonly layer: Layer,
    private readonly maxLength: number,
  ) {}

  /** @throws Refusal MalformedPayload with the path inside `value`; PayloadTooLarge. */
  write(value: unknown): string {
    this.#value(value, 1);
    return this.#text;
  }

  #value(value: unknown, depth: number): void {
    if (this.#text.length > this.maxLength) throw tooLarge(this.layer);
    switch (typeof value) {
      case 'string':
        this.#text += this.#string(value);
        return;
      case 'number':
        this.#text += this.#number(value);
        return;
      case 'boolean':
        this.#text += value ? 'true' : 'false';
        return;
      case 'object':
        if (value === null) this.#text += 'null';
        else this.#container(value, depth);
        return;
      case 'undefined':
      case 'bigint':
      case 'function':
      case 'symbol':
        this.#refuse();
    }
  }

  #container(value: object, depth: number): void {
    if (depth > MAX_DEPTH) this.#refuse();
    if (Array.isArray(value)) this.#list(value, depth);
    else if (isPlainObject(value)) this.#object(value, depth);
    else this.#refuse();
  }

  /** By index, so that a hole is met as `undefined` and refused. */
  #list(list: readonly unknown[], depth: number): void {
    this.#text += '[';
    for (let i = 0; i < list.length; i++) {
      if (i > 0) this.#text += ',';
      this.#steps.push(i);
      this.#value(list[i], depth + 1);
      this.#steps.pop();
    }
    this.#text += ']';
  }

  #object(object: Readonly<Record<string, unknown>>, depth: number): void {
    const names = Object.keys(object);
    sortNames(names, this.form.compare);
    this.#text += '{';
    let separator = '';
    for (const name of names) {
      this.#steps.push(name);
      this.#text += separator + this.#string(name) + ':';
      this.#value(object[name], depth + 1);
      this.#steps.pop();
      separator = ',';
    }
    this.#text += '}';
  }

  #string(text: string): string {
    if (PLAIN.test(text)) return `"${text}"`;
    if (hasLoneSurrogate(text)) this.#refuse();
    return this.form.string(text);
  }

  #number(value: number): string {
    return isExactNumber(value) && this.form.allows(value) ? String(value) : this.#refuse();
  }

  #refuse(): never {
    throw new Refusal('MalformedPayload', this.layer, { path: pathOf(this.#steps) });
  }
}

/** The size is the whole payload's, so the path is the root. */
export function tooLarge(layer: Layer): Refusal {
  return new Refusal('PayloadTooLarge', layer, { path: '' });
}
