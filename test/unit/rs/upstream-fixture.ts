/** A resource server with upstreams, and a bridge that reads its lines. */
import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { join } from 'node:path';
import { vi } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.js';
import type { Lane, RunEvent, Surface } from '../../../src/contract/wire.js';
import { runEvent, surface } from '../../../src/contract/wire.js';
import { parseStrictJson } from '../../../src/contract/strict-json.js';
import { Fixture } from './fixture.js';

const root = join(import.meta.dirname, '../../..');

/** A published MCP server as a stdio upstream. */
export function published(name: string, ...args: string[]) {
  const file = join(root, 'node_modules/@modelcontextprotocol', name, 'dist/index.js');
  return { command: process.execPath, args: [file, ...args] };
}

/** One of the servers in `upstream-servers`, as a stdio upstream. */
export function hostile(script: string, env: Record<string, string> = {}) {
  return {
    command: process.execPath,
    args: [join(root, 'test/support/upstream-servers', script)],
    env,
  };
}

export const OPEN = { scopes: [], mode: 'open' };

type Answers = (ask: Extract<RunEvent, { kind: 'ask' }>) => JsonObject | undefined;

export class UpstreamFixture extends Fixture {
  async startWith(upstreams: object, commands: object = { '*': OPEN }, more: object = {}) {
    await this.start({ upstreams, commands, ...more });
    return this;
  }

  async surface(): Promise<Surface> {
    const { body } = await this.http('GET', '/v1/surface');
    return surface.parse(body);
  }

  upstream(state: Surface, name: string) {
    return state.upstreams.find((one) => one.name === name);
  }

  /** Waits until the upstream is ready. */
  async ready(...names: string[]): Promise<Surface> {
    return vi.waitFor(
      async () => {
        const now = await this.surface();
        for (const name of names) {
          const found = this.upstream(now, name);
          if (found?.state !== 'ready') throw new Error(`${name}: ${JSON.stringify(found)}`);
        }
        return now;
      },
      { timeout: 30_000, interval: 50 },
    );
  }

  lane(capabilities: JsonObject = {}, id = 'lane-1'): Lane {
    return { id, client: { name: 'test', version: '1' }, capabilities };
  }

  post(path: string, body: object, signal?: AbortSignal): Promise<Response> {
    return fetch(this.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${this.serviceAssertion()}`,
        'content-type': 'application/json',
        accept: 'application/x-ndjson',
      },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    });
  }

  async *events(response: Response): AsyncGenerator<RunEvent> {
    if (!response.body) return;
    const lines = createInterface({ input: Readable.fromWeb(response.body as never) });
    for await (const line of lines) {
      if (line !== '') yield runEvent.parse(parseStrictJson(line, 'bridge'));
    }
  }

  /** Posts, answers what is asked, and returns every line. A problem before the first line comes as `problem` too. */
  async lines(path: string, body: object, answers: Answers = () => undefined): Promise<RunEvent[]> {
    const response = await this.post(path, body);
    if (response.status !== 200) {
      return [{ kind: 'problem', problem: (await response.json()) as JsonObject }];
    }
    const events: RunEvent[] = [];
    for await (const event of this.events(response)) {
      events.push(event);
      const answer = event.kind === 'ask' ? answers(event) : undefined;
      if (event.kind === 'ask' && answer) await this.answer(event.id, answer);
    }
    return events;
  }

  async answer(id: string, answer: object): Promise<number> {
    return (await this.post(`/v1/asks/${id}`, answer)).status;
  }

  /** An open call of the lane; its last line. */
  async call(
    command: string,
    args: JsonObject,
    more: object = {},
    answers?: Answers,
  ): Promise<RunEvent> {
    const body = { command, args, caller: this.caller(), lane: this.lane(), ...more };
    return (await this.lines('/v1/execute', body, answers)).at(-1)!;
  }

  /** The text of a tool's result. */
  text(event: RunEvent): string {
    const outcome = event.kind === 'outcome' ? event.outcome : undefined;
    const result = outcome?.result as { content?: { text?: string }[] } | undefined;
    return result?.content?.map((block) => block.text ?? '').join('\n') ?? JSON.stringify(event);
  }
}
