/**
 * Claim: Of a gated call an upstream gets what the person signed and nothing else: no `_meta` of the agent or the bridge goes along.
 * Enforced by: rs/upstream/call.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { GATED, OPEN, raw, textOf, UpstreamServer } from '../support/upstream-attack.js';

attack(
  '`_meta` reaches an open tool, without the protocol’s own, and no gated one',
  async ({ world }) => {
    const upstreams = { shop: raw(), bank: raw() };
    const rs = await UpstreamServer.start(
      world,
      { upstreams, commands: { 'bank__*': GATED, '*': OPEN } },
      'shop',
      'bank',
    );
    const meta = {
      'example.com/instead': { to: 'eve' },
      progressToken: 7,
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const args = { to: 'bob' };
    expect(JSON.parse(textOf(await rs.last({ command: 'shop__echo', args, meta })))).toEqual({
      name: 'echo',
      arguments: args,
      _meta: { 'example.com/instead': { to: 'eve' } },
    });
    const approved = await rs.approved('bank__echo', args);
    expect(JSON.parse(textOf(await rs.last({ ...approved, meta })))).toEqual({
      name: 'echo',
      arguments: args,
    });
  },
);
