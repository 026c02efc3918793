import { byId, fill, show } from './dom.js';
import { post } from './post.js';

/** Brings what the provider sent along to our own server. The code leaves the address bar and the history first. */
const query = location.search.slice(1);
history.replaceState(null, '', location.pathname);

const answer = await post('/sign-in/oidc/finish', { query });
const next = answer.kind === 'ok' ? answer.body['next'] : undefined;
if (typeof next === 'string') {
  location.replace(next);
} else {
  fill(
    byId('status'),
    answer.kind === 'refused' ? answer.sentence : 'No connection. Please sign in again.',
  );
  show(byId('again'), true);
}
