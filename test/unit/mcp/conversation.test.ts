import type { ServerContext } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.js';
import type { Ask } from '../../../src/dispatcher/exchange.js';
import type { Outcome } from '../../../src/dispatcher/outcome.js';
import { APPROVAL, Conversation } from '../../../src/mcp/conversation.js';

const ctx = {} as ServerContext;
const success = (result: JsonObject): Outcome => ({ kind: 'Success', result });
const ask = (id: string, round?: Ask['round']): Ask => ({
  ...{ kind: 'ask', id, method: 'roots/list', params: {} },
  ...(round === undefined ? {} : { round }),
});

/** A run that asks these one after the other, or all at once, and ends with the answers. */
function asking(
  together: boolean,
  asks: readonly Ask[],
  given?: Record<string, JsonObject>,
): Conversation {
  const conversation = new Conversation(ctx, undefined, given);
  conversation.start(async () => {
    const answers = [];
    if (together) answers.push(...(await Promise.all(asks.map((one) => conversation.ask(one)))));
    else for (const one of asks) answers.push(await conversation.ask(one));
    return success({ answers: answers as never });
  });
  return conversation;
}

async function keysOf(conversation: Conversation): Promise<string[]> {
  const next = await conversation.next();
  if ('kind' in next) throw new Error(`ended with ${next.kind}`);
  return [...next.keys()];
}

describe('what an upstream asks reaches a 2026-07-28 client', () => {
  it('under the upstream’s own keys, all of one round together', async () => {
    const size = 2;
    const asks = [ask('1', { key: 'name', size }), ask('2', { key: 'roots', size })];
    const conversation = asking(true, asks);
    expect(await keysOf(conversation)).toEqual(['name', 'roots']);
    conversation.resume(ctx, { name: { n: 1 } });
    expect(await keysOf(conversation)).toEqual(['roots']);
    conversation.resume(ctx, { roots: { n: 2 } });
    expect(await conversation.next()).toEqual(
      success({ answers: [{ result: { n: 1 } }, { result: { n: 2 } }] }),
    );
  });

  it('under ids of ours where the upstream has no keys', async () => {
    const conversation = asking(false, [ask('1'), ask('2')]);
    expect(await keysOf(conversation)).toEqual(['1']);
    conversation.resume(ctx, { 1: {} });
    expect(await keysOf(conversation)).toEqual(['2']);
  });

  it('never under the key of the approval itself', async () => {
    const conversation = asking(false, [ask('1', { key: APPROVAL, size: 1 })], { [APPROVAL]: {} });
    expect(await keysOf(conversation)).toEqual(['1']);
  });

  it('not at all where its first request answers it already, once', async () => {
    const round = { key: 'name', size: 1 };
    const conversation = asking(false, [ask('1', round), ask('2', round)], { name: { n: 1 } });
    expect(await keysOf(conversation)).toEqual(['name']);
    conversation.resume(ctx, { name: { n: 2 } });
    expect(await conversation.next()).toEqual(
      success({ answers: [{ result: { n: 1 } }, { result: { n: 2 } }] }),
    );
  });

  it('or the run ends before a round is complete', async () => {
    const conversation = new Conversation(ctx, undefined);
    conversation.start(() => {
      void conversation.ask(ask('1', { key: 'name', size: 2 }));
      return Promise.resolve(success({}));
    });
    expect(await conversation.next()).toEqual(success({}));
  });
});
