import type { ConsentListing, Inbox } from '../consent-view.js';
import { clockText } from './countdown.js';
import { byId, el, fill, readIsland, show } from './dom.js';
import { Poll } from './poll.js';
import { renderText } from './render-text.js';
import { stateText } from './state-text.js';
import { offerSignOut } from './sign-out.js';

offerSignOut();

const SHOWN_MESSAGE = 200;

let shown = '';
const poll = new Poll('/', (answer) => {
  show(byId('offline'), answer.kind === 'later');
  if (answer.kind === 'ok') render(answer.body as unknown as Inbox);
  if (answer.kind === 'refused') location.reload();
});
render(readIsland() as Inbox);
poll.schedule(3000);

function render(inbox: Inbox): void {
  const now = JSON.stringify(inbox);
  if (now === shown) return;
  shown = now;
  fill(byId('pending'), ...inbox.pending.map(renderListing));
  fill(byId('recent'), ...inbox.recent.map(renderListing));
  show(byId('nothing-pending'), inbox.pending.length === 0);
  show(byId('recent-section'), inbox.recent.length > 0);
  show(byId('more'), inbox.more);
  document.title = `${inbox.pending.length > 0 ? `(${inbox.pending.length}) ` : ''}Requests · consent-bridge`;
}

function renderListing(consent: ConsentListing): HTMLElement {
  const state = stateText(consent);
  return el(
    'li',
    {},
    el(
      'a',
      { href: `/consents/${consent.id}`, class: 'listing' },
      el('span', { class: 'listing-message' }, renderText(beginning(consent.binding_message))),
      el(
        'span',
        { class: 'listing-who' },
        el('code', {}, renderText(consent.cmd)),
        ' asked by ',
        el('code', {}, renderText(consent.client_id)),
      ),
      el(
        'span',
        { class: `listing-state ${state?.tone ?? 'pending'}` },
        state?.title ?? `${clockText(consent.seconds_left)} left`,
      ),
    ),
  );
}

/** The list shows how a message begins and says so when it goes on; nothing is approved from here. */
function beginning(message: string): string {
  const characters = Array.from(message);
  return characters.length > SHOWN_MESSAGE
    ? `${characters.slice(0, SHOWN_MESSAGE).join('')} … (goes on)`
    : message;
}
