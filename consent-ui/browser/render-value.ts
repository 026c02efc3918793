import type { JsonObject, JsonValue } from '../../src/contract/json.js';
import { isJsonObject } from '../../src/contract/json.js';
import { el } from './dom.js';
import { renderText } from './render-text.js';

/** Deeper levels are indented less, so that 64 of them fit on a phone. */
const FULL_INDENT_LEVELS = 5;
const LONG_TEXT = 200;

/** Any JSON value in full, as a tree in reading order. Nothing is folded, cut or scrolled away. */
export function renderValue(value: JsonValue, level = 0): HTMLElement {
  if (typeof value === 'string') return renderString(value);
  if (isJsonObject(value)) return renderObject(value, level);
  if (isList(value)) return renderList(value, level);
  return el(
    'span',
    { class: 'value' },
    el('code', {}, String(value)),
    value === null ? undefined : el('span', { class: 'aside' }, ` ${typeof value}`),
  );
}

function renderString(text: string): HTMLElement {
  if (text === '') return el('span', { class: 'value empty' }, 'empty text');
  const size = Array.from(text).length;
  return el(
    'div',
    { class: 'value string' },
    size > LONG_TEXT ? sizeNote(`text of ${size.toLocaleString('en')} characters`) : undefined,
    el('code', {}, renderText(text)),
  );
}

function renderObject(object: JsonObject, level: number): HTMLElement {
  const members = Object.entries(object);
  if (members.length === 0) return el('span', { class: 'value empty' }, 'empty object');
  return el(
    'dl',
    { class: treeClass(level) },
    ...members.map(([name, value]) =>
      el(
        'div',
        { class: 'member' },
        el('dt', {}, name === '' ? el('i', {}, 'empty name') : renderText(name)),
        el('dd', {}, renderValue(value, level + 1)),
      ),
    ),
  );
}

function renderList(list: readonly JsonValue[], level: number): HTMLElement {
  if (list.length === 0) return el('span', { class: 'value empty' }, 'empty list');
  if (list.every(isShort)) {
    return el(
      'div',
      { class: 'value list' },
      sizeNote(`list of ${list.length.toLocaleString('en')}`),
      el('code', {}, `[${list.join(', ')}]`),
    );
  }
  return el(
    'ol',
    { class: treeClass(level), start: '0' },
    ...list.map((item, index) =>
      el('li', {}, el('span', { class: 'index' }, `${index}`), renderValue(item, level + 1)),
    ),
  );
}

function sizeNote(text: string): HTMLElement {
  return el('span', { class: 'size' }, text);
}

function treeClass(level: number): string {
  if (level === 0) return 'tree top';
  return level > FULL_INDENT_LEVELS ? 'tree deep' : 'tree';
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function isShort(value: JsonValue): value is number | boolean {
  return typeof value === 'number' || typeof value === 'boolean';
}
