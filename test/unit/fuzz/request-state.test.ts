/** Sealed texts that travel through clients: the state of a 2026-07-28 retry and the id of a 2025-era session. */
import { isDeepStrictEqual } from 'node:util';
import type { ServerContext } from '@modelcontextprotocol/server';
import fc from 'fast-check';
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { LegacySessions } from '../../../src/mcp/legacy-session.js';
import { callStateCodec } from '../../../src/mcp/request-state.js';
import { cases, TIME } from './runs.js';

const key = createHash('sha256').update('a gate key').digest();
const context = (subject: string): ServerContext =>
  ({ mcpReq: { method: 'tools/call' }, subject }) as unknown as ServerContext;
const codec = callStateCodec(key, 600, (ctx) => ({
  subject: (ctx as unknown as { subject: string }).subject,
  client_id: 'agent',
  scopes: [],
}));
const alice = context('alice');

/** A change of any character, to another one of the alphabet or to any at all; a cut; a repetition; anything else. */
const bend = (honest: string): fc.Arbitrary<string> =>
  fc.oneof(
    fc
      .tuple(fc.nat(honest.length - 1), fc.string({ unit: 'binary', maxLength: 2 }), fc.nat(2))
      .map(([at, put, remove]) => honest.slice(0, at) + put + honest.slice(at + remove)),
    fc
      .tuple(fc.nat(honest.length - 1), fc.constantFrom(...Array.from('AZaz09-_.')))
      .map(([at, put]) => honest.slice(0, at) + put + honest.slice(at + 1)),
    fc
      .array(fc.constantFrom(...honest.split('.'), '', '.'), { maxLength: 6 })
      .map((parts) => parts.join('.')),
    fc.string({ unit: 'binary', maxLength: 40 }),
  );

test('requestState: only what was sealed, for whom it was sealed, is opened', TIME, async () => {
  const state = { consent: 'c'.repeat(43), call: 'd'.repeat(43) };
  const honest = await codec.mint(state, alice);
  expect(await codec.verify(honest, alice)).toEqual(state);
  await expect(codec.verify(honest, context('bob'))).rejects.toThrow();
  // The last letter holds bits of no octet: the other texts of the same octets are not ours.
  for (const last of 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_') {
    const text = honest.slice(0, -1) + last;
    if (text !== honest) await expect(codec.verify(text, alice)).rejects.toThrow();
  }
  await fc.assert(
    fc.asyncProperty(bend(honest), async (text) => {
      const opened = await codec.verify(text, alice).then(
        () => true,
        (error: unknown) => !(error instanceof Error),
      );
      if (opened && text !== honest) expect.fail(text);
    }),
    cases(2),
  );
});

test('requestState: any state comes back as it was', TIME, async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.string({ unit: 'binary' }),
      fc.string(),
      fc.string(),
      async (consent, call, who) => {
        const ctx = context(who);
        const state = { call, ...(who === '' ? {} : { consent }), run: call };
        if (!isDeepStrictEqual(await codec.verify(await codec.mint(state, ctx), ctx), state))
          expect.fail(JSON.stringify(state));
      },
    ),
    cases(10),
  );
});

test(
  'session ids: only our own, of the same caller, are found, and each in one spelling',
  TIME,
  () => {
    const sessions = new LegacySessions(key);
    const caller = { subject: 'alice', client_id: 'agent', scopes: [] };
    const capabilities = { elicitation: { url: {} }, roots: {} };
    const peer = { elicitation: 'url', name: 'é😀', capabilities } as const;
    const { id } = sessions.open(peer, caller);
    expect(sessions.find(id, caller)?.peer).toEqual(peer);
    expect(sessions.find(id, { ...caller, subject: 'bob' })).toBeUndefined();
    fc.assert(
      fc.property(bend(id), (text) => {
        if (sessions.find(text, caller) !== undefined && text !== id) expect.fail(text);
      }),
      cases(),
    );
  },
);
