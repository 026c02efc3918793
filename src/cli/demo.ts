import type { DemoName } from './demo-names.js';
import { DEMOS } from './demo-names.js';
import { Narration } from './narration.js';
import type { Scene } from './scene.js';
import { openScene } from './scene.js';
import type { Stack } from './stack.js';
import { withStack } from './with-stack.js';

type Demo = (scene: Scene, story: Narration) => Promise<void>;

/** Demos that need the four processes. */
const ON_STACK: Readonly<Record<Exclude<DemoName, 'all' | 'tier1'>, () => Promise<Demo>>> = {
  tier2: async () => (await import('./tier2.js')).tellTier2,
  drift: async () => (await import('./demos/drift.js')).demoDrift,
  replay: async () => (await import('./demos/replay.js')).demoReplay,
  'key-isolation': async () => (await import('./demos/key-isolation.js')).demoKeyIsolation,
  scope: async () => (await import('./demos/scope.js')).demoScope,
  decline: async () => (await import('./demos/decline.js')).demoDecline,
};

/** Shows one property, or all of them. Returns the exit code: 0 only if nothing differed. */
export async function demo(which: DemoName, data: string): Promise<number> {
  const story = new Narration(process.stdout, { prose: false });
  const names = which === 'all' ? DEMOS.filter((name) => name !== 'all') : [which];
  if (names.includes('tier1')) {
    story.heading('tier1: one process, a shared secret');
    await (await import('./tier1.js')).tellTier1(story);
  }
  const onStack = names.filter((name) => name !== 'tier1');
  const code =
    onStack.length === 0 ? 0 : await withStack(data, (stack) => show(onStack, stack, story));
  const { differences } = story;
  process.stdout.write(`\n${differences === 0 ? 'All as claimed.' : `${differences} differed.`}\n`);
  return code === 0 && differences === 0 ? 0 : 1;
}

async function show(
  names: readonly (keyof typeof ON_STACK)[],
  stack: Stack,
  story: Narration,
): Promise<number> {
  const scene = await openScene(stack);
  try {
    for (const name of names) {
      if (name === 'tier2') story.heading('tier2: four processes, a passkey');
      const demonstrate = await ON_STACK[name]();
      await demonstrate(scene, story);
    }
    return 0;
  } finally {
    await scene.close();
  }
}
