import { post } from './post.js';

/** Wires the button in the page's frame, which is there for whoever is signed in. */
export function offerSignOut(): void {
  const button = document.getElementById('sign-out');
  button?.addEventListener('click', () => void signOut());
}

async function signOut(): Promise<void> {
  await post('/sign-out', {});
  location.assign('/sign-in');
}
