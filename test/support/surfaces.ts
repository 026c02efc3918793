/** The four HTTP surfaces that read JSON, each with a body it accepts and one place in it for what an attacker sends. */
import { expect } from 'vitest';
import { request } from 'undici';
import type { JsonObject } from '../../src/contract/json.js';
import type { AttackWorld } from './attack-world.js';
import { ServiceIdentity } from './service-identity.js';
import { tokenFor } from './direct-enrolment.js';

const HOLE = '@hole@';

export interface Surface {
  readonly layer: string;
  readonly method: 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** JSON text of a body that is accepted when `hole` is `"t-1"`; `hole` is put in as raw text. */
  readonly body: (hole: string) => string;
}

export interface SurfaceAnswer {
  readonly status: number;
  readonly code: unknown;
  readonly layer: unknown;
  readonly path: unknown;
}

export function surfaces(world: AttackWorld): readonly Surface[] {
  const { stack, caller } = world;
  const { vault, rs } = stack.configs;
  const bridge = new ServiceIdentity(stack, 'bridge');
  const page = new ServiceIdentity(stack, 'consent-ui');
  const withHole = { task_id: HOLE };
  const signed = world.signDirectly(world.bridge.payload(caller, 'get_task', { task_id: 't-1' }));
  const proposed = world.bridge.payload(caller, 'get_task', withHole);
  const requested_by = { subject: caller.subject, client_id: caller.client_id };
  const rpc = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
  const filled = (
    layer: string,
    method: 'POST' | 'PUT',
    url: string,
    json: JsonObject,
    headers: Surface['headers'],
  ): Surface => ({
    ...{ layer, method, url },
    headers: { 'content-type': 'application/json', ...headers },
    body: (hole) => JSON.stringify(json).replace(`"${HOLE}"`, () => hole),
  });
  const mcp = {
    authorization: `Bearer ${tokenFor(stack, caller)}`,
    accept: 'application/json, text/event-stream',
  };
  return [
    filled(
      'bridge',
      'POST',
      stack.mcpUrl,
      { ...rpc, params: { name: 'get_task', arguments: withHole } },
      mcp,
    ),
    filled(
      'consent-ui',
      'PUT',
      `${stack.origin}/v1/consents/${proposed.nonce}`,
      { payload: proposed, requested_by, tool: {} },
      bridge.bearer(stack.origin),
    ),
    filled(
      'vault',
      'POST',
      `${vault.issuer}/v1/signatures/examine`,
      { signed: { ...signed, payload: { ...signed.payload, args: withHole } } },
      page.bearer(vault.issuer),
    ),
    filled(
      'rs',
      'POST',
      `${rs.resource}/v1/execute`,
      { command: 'get_task', args: withHole, caller },
      bridge.bearer(rs.resource),
    ),
  ];
}

/** What a surface says to these bytes. A JSON-RPC error counts by the problem document it carries. */
export async function send(
  { method, url, headers }: Surface,
  body: string | Uint8Array,
  more: Readonly<Record<string, string>> = {},
): Promise<SurfaceAnswer> {
  const answer = await request(url, { method, headers: { ...headers, ...more }, body });
  const text = await answer.body.text();
  const said = text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
  const error = said['error'] as { data?: object } | undefined;
  const { code, layer, path } = { ...said, ...error?.data } as Record<string, unknown>;
  return { status: answer.statusCode, code, layer, path };
}

/** Each surface accepts the honest body, and refuses each of `bodies` by itself. */
export async function expectRefusedEverywhere(
  world: AttackWorld,
  bodies: Readonly<Record<string, (surface: Surface) => string | Uint8Array>>,
  expected: { readonly status: number; readonly code: string } = {
    status: 400,
    code: 'MalformedJson',
  },
): Promise<void> {
  for (const surface of surfaces(world)) {
    expect((await send(surface, surface.body('"t-1"'))).status, surface.layer).toBeLessThan(300);
    for (const [name, make] of Object.entries(bodies)) {
      expect
        .soft(await send(surface, make(surface)), `${name} at ${surface.layer}`)
        .toMatchObject({ ...expected, layer: surface.layer });
    }
  }
}
