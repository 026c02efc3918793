import type { JsonValue } from '../../src/contract/json.js';
import { isJsonObject } from '../../src/contract/json.js';
import type { ConsentView } from '../consent-view.js';
import { toBase64url, toHex } from './base64url.js';
import type { Signable } from './ceremony.js';
import { type Child, byId, el, fill, show } from './dom.js';
import { countUnusual, renderText } from './render-text.js';
import { renderValue } from './render-value.js';

const SHORT_DESCRIPTION = 280;

type Tool = ConsentView['tool'];

/** Puts the whole consent on the page: everything that is signed, and who says what about it. */
export function renderConsent(consent: ConsentView): void {
  const { payload, requested_by, tool } = consent;
  const message = byId('binding-message');
  fill(
    message,
    payload.binding_message === '' ? 'No message was given' : renderText(payload.binding_message),
  );
  message.classList.toggle('long', payload.binding_message.length > 160);

  fill(
    byId('facts'),
    fact('Who asks', id(payload.client_id), clientClaim(requested_by.client_name)),
    fact('For', id(requested_by.subject), you(requested_by.subject, payload.approver_id)),
    fact('Will run', id(payload.cmd), tool.title === undefined ? undefined : aside(tool.title)),
    fact('On', id(payload.aud)),
  );
  fill(byId('args'), renderValue(payload.args));
  renderTool(tool);
  renderUnusual(consent);
}

/** The bytes themselves, for whoever wants to check them. */
export function renderSignable({ bytes, digest }: Signable, consent: ConsentView): void {
  const { payload } = consent;
  fill(byId('canonical'), renderText(new TextDecoder().decode(bytes)));
  fill(byId('digest'), toHex(digest));
  fill(
    byId('exact-facts'),
    fact('Challenge', id(toBase64url(digest))),
    fact('Bytes', id(bytes.length.toLocaleString('en'))),
    fact('Approver', id(payload.approver_id)),
    fact('Type', id(payload.rar_type)),
    fact(
      'Valid until',
      id(new Date(payload.exp * 1000).toLocaleString()),
      aside(`exp ${payload.exp}`),
    ),
    fact('Consent id', id(payload.nonce)),
  );
}

function renderTool({ description = '', digest, input_schema, annotations }: Tool): void {
  const box = byId('tool');
  show(box, description !== '' || digest !== undefined);
  fill(byId('tool-description'), renderText(description));
  if (description.length <= SHORT_DESCRIPTION && digest === undefined) box.setAttribute('open', '');
  show(byId('tool-definition'), digest !== undefined);
  if (digest === undefined) return;
  fill(byId('tool-schema'), renderValue(input_schema ?? {}));
  fill(
    byId('tool-facts'),
    fact('Definition', id(digest), aside('SHA-256 of what the operator accepted')),
    ...(annotations === undefined
      ? []
      : [fact('It claims', id(JSON.stringify(annotations)), unverified())]),
  );
}

/** One sentence when any text here holds characters that can mislead; each is marked where it stands. */
function renderUnusual({ payload, requested_by, tool }: ConsentView): void {
  const count = textsOf([payload, { ...requested_by }, { ...tool }] as JsonValue).reduce(
    (sum, text) => sum + countUnusual(text),
    0,
  );
  const characters = count === 1 ? 'one character' : `${count.toLocaleString('en')} characters`;
  show(byId('unusual'), count > 0);
  fill(
    byId('unusual'),
    el('strong', {}, 'Look closely. '),
    `This request contains ${characters} that can hide or disguise text. Each is marked like `,
    el('span', { class: 'mark' }, 'U+202E'),
    ' where it stands.',
  );
}

function textsOf(value: JsonValue): string[] {
  if (typeof value === 'string') return [value];
  if (isJsonObject(value))
    return Object.entries(value).flatMap(([name, item]) => [name, ...textsOf(item)]);
  return Array.isArray(value) ? (value as JsonValue[]).flatMap(textsOf) : [];
}

function fact(name: string, ...content: readonly Child[]): HTMLElement {
  return el('div', {}, el('dt', {}, name), el('dd', {}, ...content));
}

function id(text: string): HTMLElement {
  return el('code', { class: 'id' }, renderText(text));
}

function aside(text: string): HTMLElement {
  return el('span', { class: 'aside' }, renderText(text));
}

/** A name the client gave itself proves nothing, and says so. */
function clientClaim(name: string | undefined): HTMLElement | undefined {
  if (name === undefined || name === '') return undefined;
  return el('span', { class: 'aside' }, 'calls itself “', renderText(name), '” ', unverified());
}

function unverified(): HTMLElement {
  return el('span', { class: 'tag' }, 'unverified');
}

function you(subject: string, approverId: string): HTMLElement | undefined {
  return subject === approverId ? el('span', { class: 'aside' }, 'that is you') : undefined;
}
