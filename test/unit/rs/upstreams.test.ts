/** Published MCP servers behind the resource server. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { OPEN, published, UpstreamFixture } from './upstream-fixture.js';

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 });

const f = new UpstreamFixture();
const dir = mkdtempSync(join(tmpdir(), 'rs-up-files-'));
beforeAll(async () => {
  await f.startWith({
    all: { ...published('server-everything', 'stdio'), list_with: ['sampling', 'elicitation', 'roots'] },
    files: published('server-filesystem', dir),
    memory: { ...published('server-memory'), env: { MEMORY_FILE_PATH: join(dir, 'memory.json') } },
  });
  await f.ready('all', 'files', 'memory');
});
afterAll(async () => {
  await f.close();
  rmSync(dir, { recursive: true });
});

it('smoke', async () => {
  const s = await f.surface();
  console.log(JSON.stringify(s.upstreams, null, 1).slice(0, 3000));
  console.log(s.tools.map((t) => t.name), s.resources.length, s.resource_templates.length, s.prompts.map((p) => p.name));
  console.log(JSON.stringify(await f.call('all__echo', { message: 'hi' })));
  console.log(JSON.stringify(await f.call('all__echo', { })));
  console.log(f.errors, f.printed);
});
