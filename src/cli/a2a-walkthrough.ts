/** The story over A2A: an MCP client at the first agent, the tool and the person's page at the last, one process each. */
import { changedAsk, changedCall, forgedResumes, ownCredential } from './a2a-attacks.js';
import { type A2aScene, openA2aScene } from './a2a-scene.js';
import { attemptOfCall } from './agent.js';
import { describe } from './attempt.js';
import type { Narration } from './narration.js';
import { askedToEnd } from './shutdown.js';
import * as z from 'zod';

const BYSTANDER = 'Water the plants';

/** Runs the story on processes of its own, which are gone afterwards whatever happened. Resolves to false when it was cut short. */
export async function walkThroughA2a(depth: number, story: Narration): Promise<boolean> {
  const interrupted = askedToEnd().then((signal) => `interrupted by ${signal}`);
  let die: (line: string) => void = () => undefined;
  const died = new Promise<string>((resolve) => (die = resolve));
  process.stderr.write(`Starting ${depth + 1} agents on a temporary directory.\n`);
  const scene = await openA2aScene(depth, (line) => die(line));
  try {
    const cut = await Promise.race([
      tellA2a(scene, story).then(() => undefined),
      interrupted,
      died,
    ]);
    if (cut !== undefined) process.stderr.write(`bridge: ${cut}\n`);
    return cut === undefined;
  } finally {
    await scene.close();
  }
}

async function tellA2a(scene: A2aScene, story: Narration): Promise<void> {
  const { chain, agent, approver, leaf } = scene;
  const ids = chain.agents.map(({ id }) => id);
  const tool = (name: string): string => chain.tool(name);

  await story.chapter('Agents that know each other');
  story.say(`Each is a process with its own key, data and tokens: ${ids.join(' → ')}.`);
  story.say(
    'Each reads the signed card of the next before it sends anything, its token above all.',
  );
  story.did(`connected to ${chain.first.id}; tools: ${(await agent.tools()).join(' ')}`);
  const kept = await create(scene, BYSTANDER);
  const target = await create(scene, 'Cancel the old newsletter');
  story.did(
    `${tool('create_task')} made ${target}: not gated, so it ran at once at ${chain.leaf.id}`,
  );

  await story.chapter('The last agent asks');
  const asked = await agent.call(tool('delete_task'), { task_id: target });
  if (asked.kind !== 'approval') {
    story.claim(false, `delete_task ${target}: ${describe(attemptOfCall(asked))} without a link`);
    return;
  }
  story.claim(
    asked.code === -32_042,
    `delete_task ${target} did not run: ${asked.code} and a link`,
  );
  const { origin } = chain.configs['consent-ui'];
  story.claim(
    asked.url.startsWith(`${origin}/consents/`),
    `the link is to ${chain.leaf.id}'s own page: ${asked.url}`,
  );

  await story.chapter('The person decides');
  const approval = await approver.approve(asked.url);
  story.claim(approval.kind === 'done', `${scene.subject} read the action: ${describe(approval)}`);
  const signed = await leaf.signed(asked.url.split('/').at(-1) ?? '');
  const { payload } = signed;
  story.say(`“${payload.binding_message}”`);
  const named = ids.slice(0, -1).every((id) => payload.binding_message.includes(id));
  story.claim(named, 'the signed sentence names every agent it came through');
  const bound =
    'aud' in payload &&
    payload.client_id === chain.leaf.id &&
    payload.aud === chain.configs.rs.resource;
  story.claim(bound, `the signature is for ${chain.leaf.id} and its resource server alone`);

  await story.chapter('The client calls again');
  const again = await agent.call(tool('delete_task'), { task_id: target });
  story.claim(
    again.kind === 'result',
    `delete_task ${target}: ${again.kind === 'result' ? JSON.stringify(again.data) : describe(attemptOfCall(again))}`,
  );
  const left = await titles(scene);
  story.claim(
    !left.has(target) && left.get(kept) === BYSTANDER,
    `${target} is gone, ${kept} “${BYSTANDER}” is untouched`,
  );
  story.claim(tokensStayed(scene), 'each hop had a token of its own, and none was seen on another');

  await story.chapter('An agent on the way is taken over');
  story.say('It changes what passes through it, down to the last agent and up to the person.');
  await changedCall(scene, story, kept);
  await changedAsk(scene, story);
  story.say(
    'The first agent makes use of all it holds: its token, its keys, what the person signed before.',
  );
  await forgedResumes(scene, story, kept, signed);
  await ownCredential(scene, story, kept);

  await story.chapter('What is left');
  const end = await titles(scene);
  story.claim(
    end.get(kept) === BYSTANDER && end.size === left.size,
    `${kept} “${BYSTANDER}” is untouched by all of it`,
  );
}

/** Whether every hop carried exactly one token, and carried it nowhere else. */
function tokensStayed({ wires }: A2aScene): boolean {
  const tokens = wires.map(
    ({ passed }) => new Set(passed.flatMap(({ authorization }) => authorization ?? [])),
  );
  const all = tokens.flatMap((set) => [...set]);
  const elsewhere = wires.some(({ passed }, n) =>
    passed.some(({ body }) =>
      all.some((token, m) => m !== n && body.includes(token.replace('Bearer ', ''))),
    ),
  );
  return tokens.every(({ size }) => size === 1) && new Set(all).size === wires.length && !elsewhere;
}

const task = z.looseObject({ id: z.string(), title: z.string() });

async function create({ chain, agent }: A2aScene, title: string): Promise<string> {
  const made = await agent.need(chain.tool('create_task'), { title });
  return z.looseObject({ task }).parse(made).task.id;
}

async function titles({ chain, agent }: A2aScene): Promise<ReadonlyMap<string, string>> {
  const listed = await agent.need(chain.tool('list_tasks'), {});
  const { tasks } = z.looseObject({ tasks: z.array(task) }).parse(listed);
  return new Map(tasks.map(({ id, title }) => [id, title]));
}
