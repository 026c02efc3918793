import {
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
} from '@simplewebauthn/browser';
import { button, byId, fill, readIsland } from './dom.js';
import { passkeyErrorText } from './passkey-error.js';
import { get, post } from './post.js';
import { offerSignOut } from './sign-out.js';

offerSignOut();

const { next } = readIsland() as { readonly next: string };

button('sign-in').addEventListener('click', () => void signIn());
const atProvider = document.getElementById('sign-in-oidc');
atProvider?.addEventListener('click', () => void goToProvider());

// A link from another site arrives without the strict cookie; asked from here, the same browser may well be signed in.
const session = await get('/session');
if (session.kind === 'ok' && session.body['approver_id'] !== null) location.replace(next);

/** To the provider and back to our callback page, which ends the sign-in. */
async function goToProvider(): Promise<void> {
  const begun = await post('/sign-in/oidc/start', { next });
  if (begun.kind !== 'ok') say(problemText(begun));
  else if (typeof begun.body['url'] === 'string') location.assign(begun.body['url']);
}

async function signIn(): Promise<void> {
  button('sign-in').disabled = true;
  say('Waiting for your passkey…');
  const problem = await attempt();
  if (problem === undefined) {
    location.replace(next);
    return;
  }
  say(problem);
  button('sign-in').disabled = false;
}

/** What went wrong, in words; `undefined` when signed in. */
async function attempt(): Promise<string | undefined> {
  const start = await post('/sign-in/options', {});
  if (start.kind !== 'ok') return problemText(start);
  const { challenge_id, options } = start.body;
  let response;
  try {
    response = await startAuthentication({
      optionsJSON: options as unknown as PublicKeyCredentialRequestOptionsJSON,
    });
  } catch (error) {
    return passkeyErrorText(error);
  }
  const finish = await post('/sign-in/finish', { challenge_id, response });
  return finish.kind === 'ok' ? undefined : problemText(finish);
}

function problemText(answer: { kind: 'later' } | { kind: 'refused'; sentence: string }): string {
  return answer.kind === 'later' ? 'No connection. Please try again.' : answer.sentence;
}

function say(text: string): void {
  fill(byId('status'), text);
}
