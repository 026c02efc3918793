import type { ConsentIsland } from '../consent-view.js';
import { signableOf } from './ceremony.js';
import { ConsentPage } from './consent-page.js';
import { byId, fill, readIsland } from './dom.js';
import { renderConsent, renderSignable } from './render-consent.js';
import { renderNote } from './render-state.js';
import { offerSignOut } from './sign-out.js';

offerSignOut();

// The server stored this object after validating it; it is shown, turned into bytes and signed as it is.
const { consent, signing } = readIsland() as ConsentIsland;
renderConsent(consent);
try {
  const signable = await signableOf(consent.payload);
  renderSignable(signable, consent);
  new ConsentPage(consent, signing, signable.digest).start();
} catch {
  fill(
    byId('status'),
    renderNote('This request cannot be signed as it is. Nothing will run.', 'bad'),
  );
}
