import type { ApproverAtPage } from './approver-at-page.js';
import { ask } from './conversation.js';
import type { WalkthroughOptions } from './commands/walkthrough.js';
import { Narration } from './narration.js';
import { openScene } from './scene.js';
import type { Stack } from './stack.js';
import { withStack } from './with-stack.js';

type Telling = Pick<WalkthroughOptions, 'pause' | 'browser'>;

/** Seconds a person, or a browser playing one, may need to sign the consent that is meant to be late. */
const BROWSER_SHORT = 8;

/** Tells one tier. Returns the exit code: 0 only if nothing differed. */
export async function walkthrough({
  tier,
  data,
  carrier,
  depth,
  ...telling
}: WalkthroughOptions): Promise<number> {
  if (carrier === 'a2a') return walkThroughAgents(depth, telling);
  if (tier === '1') return walkThroughTier1(telling);
  return withStack(data, (stack) => walkThroughTier2(stack, telling));
}

/** The story on four processes that run. */
export async function walkThroughTier2(stack: Stack, telling: Telling): Promise<number> {
  const started = performance.now();
  const story = narrationOf(telling);
  const { tellTier2 } = await import('./tier2.js');
  const scene = await openScene(stack, telling.browser ? openBrowser : undefined);
  try {
    await tellTier2(scene, story, telling.browser ? BROWSER_SHORT : undefined);
    return conclude(story, started);
  } finally {
    await scene.close();
  }
}

async function walkThroughTier1(telling: Telling): Promise<number> {
  const started = performance.now();
  const story = narrationOf(telling);
  const { tellTier1 } = await import('./tier1.js');
  await tellTier1(story);
  return conclude(story, started);
}

async function walkThroughAgents(depth: number, telling: Telling): Promise<number> {
  const started = performance.now();
  const story = narrationOf(telling);
  const { walkThroughA2a } = await import('./a2a-walkthrough.js');
  const whole = await walkThroughA2a(depth, story);
  return whole ? conclude(story, started) : 1;
}

async function openBrowser(): Promise<ApproverAtPage> {
  const { BrowserApprover } = await import('./browser-approver.js');
  return BrowserApprover.open();
}

function narrationOf({ pause }: Telling): Narration {
  return new Narration(process.stdout, {
    prose: true,
    ...(pause ? { pause: () => ask('\n   Enter to go on ') } : {}),
  });
}

function conclude({ differences }: Narration, started: number): number {
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const verdict =
    differences === 0
      ? `Everything happened as claimed (${seconds} s).`
      : `${differences} ${differences === 1 ? 'thing' : 'things'} differed from the claim.`;
  process.stdout.write(`\n${verdict}\n`);
  return differences === 0 ? 0 : 1;
}
