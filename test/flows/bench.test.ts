/** What `npm run bench` measures still runs: one call each way, on the built code it measures. */
import { expect, it } from 'vitest';
// @ts-expect-error plain JavaScript, which `node` runs as it is
import { openInProcess } from '../bench/in-process.mjs';
// @ts-expect-error plain JavaScript
import { openOverHttp } from '../bench/over-http.mjs';
// @ts-expect-error plain JavaScript
import { createWorld } from '../bench/world.mjs';

interface Way {
  /** Rejects unless the call ran as a gated one. */
  run(signed: unknown): Promise<unknown>;
  close(): unknown;
}

it.each<[string, (world: unknown) => Promise<Way>]>([
  ['in process', openInProcess as (world: unknown) => Promise<Way>],
  ['over HTTP', openOverHttp as (world: unknown) => Promise<Way>],
])('a call %s is minted and executed, once', async (_, open) => {
  const world = (await (createWorld as () => Promise<unknown>)()) as {
    signedPayloads(count: number): unknown[];
    remove(): void;
  };
  const way = await open(world);
  try {
    const [signed] = world.signedPayloads(1);
    await way.run(signed);
    await expect(way.run(signed)).rejects.toMatchObject({ code: 'CredentialReplay', layer: 'rs' });
  } finally {
    await way.close();
    world.remove();
  }
});
