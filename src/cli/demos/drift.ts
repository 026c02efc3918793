import { attemptOf } from '../http.js';
import type { Narration } from '../narration.js';
import type { Scene } from '../scene.js';
import { signedConsent } from '../scene.js';
import { createTask, taskTitles } from '../tasks.js';

/** Whatever differs from what was signed is refused, wherever it is changed. */
export async function demoDrift(scene: Scene, story: Narration): Promise<void> {
  story.heading('drift: executed = signed = shown');
  const { agent, takenOver, caller } = scene;
  const other = await createTask(agent, 'Pay the rent');
  const signed = await signedConsent(scene, await createTask(agent, 'Delete me'));
  const { payload } = signed;
  const atVault = { code: 'SignatureMismatch', layer: 'vault' } as const;
  const changes = {
    arguments: { args: { task_id: other } },
    command: { cmd: 'update_task' },
    'binding message': { binding_message: 'Nothing much' },
    deadline: { exp: payload.exp + 60 },
    nonce: { nonce: 'another' },
  };
  for (const [what, change] of Object.entries(changes)) {
    const answer = await takenOver.mint({ ...signed, payload: { ...payload, ...change } });
    story.refused(`other ${what} under the same signature`, atVault, attemptOf(answer, 'minted'));
  }
  const detail = { type: payload.rar_type, command: payload.cmd, args: { task_id: other } };
  story.refused(
    'authorization_details that differ from the signed payload',
    { code: 'PayloadDriftAtMint', layer: 'vault' },
    attemptOf(await takenOver.mint(signed, detail), 'minted'),
  );

  const credential = await takenOver.credential(signed);
  const live = { command: payload.cmd, args: payload.args, caller, credential, signed };
  const atRs = { code: 'CredentialDrift', layer: 'rs' } as const;
  const calls = {
    'another task id': { ...live, args: { task_id: other } },
    'one argument more': { ...live, args: { ...payload.args, force: true } },
    'an argument of another type': { ...live, args: { task_id: [payload.args['task_id'] ?? ''] } },
  };
  for (const [what, execution] of Object.entries(calls)) {
    const answer = await takenOver.execute(execution);
    story.refused(`a genuine credential with ${what}`, atRs, attemptOf(answer, 'it ran'));
  }
  const reworded = { ...signed, payload: { ...payload, binding_message: 'Nothing much' } };
  story.refused(
    'a genuine credential beside a reworded message',
    { code: 'SignatureMismatch', layer: 'rs' },
    attemptOf(await takenOver.execute({ ...live, signed: reworded }), 'it ran'),
  );
  story.claim((await taskTitles(agent)).has(other), `${other} “Pay the rent” is untouched`);
}
