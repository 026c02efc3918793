import {
  type PublicKeyCredentialCreationOptionsJSON,
  startRegistration,
} from '@simplewebauthn/browser';
import { button, byId, el, fill, show } from './dom.js';
import { passkeyErrorText } from './passkey-error.js';
import { type Answer, post } from './post.js';
import { renderText } from './render-text.js';
import { offerSignOut } from './sign-out.js';

offerSignOut();

interface Enrolled {
  readonly approver_id: string;
  readonly key_id: string;
}

const invite = new URLSearchParams(location.hash.slice(1)).get('invite') ?? '';

show(byId('no-invite'), invite === '');
show(byId('form'), invite !== '');
button('enrol').addEventListener('click', () => void enrol());

async function enrol(): Promise<void> {
  button('enrol').disabled = true;
  fill(byId('status'), 'Waiting for your device…');
  const answer = await attempt();
  button('enrol').disabled = false;
  if (answer.kind === 'ok') {
    showEnrolled(answer.body as unknown as Enrolled);
  } else {
    fill(
      byId('status'),
      answer.kind === 'later' ? 'No connection. Please try again.' : answer.sentence,
    );
  }
}

async function attempt(): Promise<Answer> {
  const start = await post('/enrol/options', { invite });
  if (start.kind !== 'ok') return start;
  const { enrolment_id, options } = start.body;
  try {
    const response = await startRegistration({
      optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON,
    });
    return await post('/enrol/finish', { enrolment_id, response, label: labelText() });
  } catch (error) {
    return { kind: 'refused', code: 'CeremonyFailed', sentence: passkeyErrorText(error) };
  }
}

function labelText(): string {
  const field = byId('label');
  return (field instanceof HTMLInputElement && field.value.trim()) || 'Passkey';
}

/** The invitation is spent now: it leaves the address bar and the history. */
function showEnrolled({ approver_id, key_id }: Enrolled): void {
  history.replaceState(null, '', location.pathname);
  show(byId('form'), false);
  fill(
    byId('status'),
    el(
      'div',
      { class: 'state good' },
      el('h2', {}, 'Your passkey is enrolled'),
      el('p', {}, 'You approve as ', el('code', { class: 'id' }, renderText(approver_id)), '.'),
      el('p', {}, 'Your operator may ask you for its thumbprint:'),
      el('p', {}, el('code', { class: 'id', id: 'key-id' }, key_id)),
    ),
    el('p', {}, el('a', { class: 'button', href: '/sign-in' }, 'Sign in')),
  );
  byId('status').focus();
}
