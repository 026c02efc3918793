import type { Answer } from '../http.js';
import { attemptOf } from '../http.js';
import type { Narration } from '../narration.js';
import type { Scene } from '../scene.js';
import { signedConsent } from '../scene.js';
import { createTask } from '../tasks.js';

const AT_ONCE = 20;

/** One signature mints one credential and one credential runs once, however many try at the same moment. */
export async function demoReplay(scene: Scene, story: Narration): Promise<void> {
  story.heading(`replay: ${AT_ONCE} at once, one wins`);
  const { agent, takenOver, caller } = scene;
  const signed = await signedConsent(scene, await createTask(agent, 'Delete me'));
  const mints = await atOnce(() => takenOver.mint(signed));
  story.claim(
    mints.done.length === 1,
    `${mints.done.length} of ${AT_ONCE} mints of one signature got a credential`,
  );
  for (const answer of mints.refused.slice(0, 1)) {
    story.refused('the others', { code: 'SignatureReplay', layer: 'vault' }, attemptOf(answer, ''));
  }
  story.claim(same(mints.refused, AT_ONCE - 1), `${mints.refused.length} were refused alike`);

  const { cmd: command, args } = signed.payload;
  const credential = (mints.done[0]?.body as { access_token: string }).access_token;
  const runs = await atOnce(() => takenOver.execute({ command, args, caller, credential, signed }));
  story.claim(
    runs.done.length === 1,
    `${runs.done.length} of ${AT_ONCE} runs of one credential ran`,
  );
  for (const answer of runs.refused.slice(0, 1)) {
    story.refused('the others', { code: 'CredentialReplay', layer: 'rs' }, attemptOf(answer, ''));
  }
  story.claim(same(runs.refused, AT_ONCE - 1), `${runs.refused.length} were refused alike`);
}

async function atOnce(act: () => Promise<Answer>): Promise<{ done: Answer[]; refused: Answer[] }> {
  const answers = await Promise.all(Array.from({ length: AT_ONCE }, act));
  return {
    done: answers.filter(({ status }) => status < 400),
    refused: answers.filter(({ status }) => status >= 400),
  };
}

function same(answers: readonly Answer[], count: number): boolean {
  const kinds = new Set(answers.map((answer) => JSON.stringify(attemptOf(answer, ''))));
  return answers.length === count && kinds.size === 1;
}
