import { Role, Task, TaskState } from '@a2a-js/sdk';
import { LegacyJsonRpcTransport } from '@a2a-js/sdk/compat/v0_3/client';
import { LegacyJsonRpcTransportHandler } from '@a2a-js/sdk/compat/v0_3/server';
import { type A2ARequestHandler, ServerCallContext } from '@a2a-js/sdk/server';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/contract/json.js';
import { type Ask, askOf, askPartOf, unsignedAsk } from '../../../src/a2a/translation/ask.js';
import { callOf, callParts } from '../../../src/a2a/translation/call.js';
import { DETAILS_META, elicitationOf } from '../../../src/a2a/translation/elicitation.js';
import { message, textPart } from '../../../src/a2a/translation/part.js';
import { resumeOf, resumeOfElicitation, resumeParts } from '../../../src/a2a/translation/resume.js';
import { finishedTask, outcomeOfTask } from '../../../src/a2a/translation/outcome.js';
import type { ApprovalRequired, Outcome } from '../../../src/dispatcher/outcome.js';
import { jsonText } from './json-text.js';

function ask(authorization_details: string): Ask {
  return {
    kind: 'ask',
    agent: 'agent-d',
    authorization_details,
    binding_message: 'Delete task t-1',
    exp: 1_900_000_000,
    approver_id: 'alice@example.com',
    resource: 'http://127.0.0.1:8423',
    consent_id: 'c'.repeat(43),
    consent_url: `http://localhost:8421/consents/${'c'.repeat(43)}`,
    chain: [{ agent: 'agent-a', link: 'l'.repeat(43) }],
    signature: 'h..s',
  };
}

function taskWith(...parts: Task['history'][number]['parts']): Task {
  return {
    id: 't',
    contextId: 'c',
    status: {
      state: TaskState.TASK_STATE_AUTH_REQUIRED,
      message: message(Role.ROLE_AGENT, { messageId: 'm', taskId: 't', contextId: 'c' }, parts),
      timestamp: '2026-01-01T00:00:00.000Z',
    },
    artifacts: [],
    history: [],
    metadata: undefined,
  };
}

/** Over the wire of A2A 1.0, as text. */
function sent(task: Task): Task {
  return Task.fromJSON(JSON.parse(JSON.stringify(Task.toJSON(task))));
}

/** Over the wire of A2A 0.3, as text, through the SDK's own translators on both sides. */
async function sentOld(task: Task): Promise<Task> {
  const handler = new LegacyJsonRpcTransportHandler({
    getTask: () => Promise.resolve(task),
  } as unknown as A2ARequestHandler);
  const transport = new LegacyJsonRpcTransport({
    endpoint: 'http://unused',
    fetchImpl: async (_url, init) => {
      const answer = await handler.handle(init?.body as string, new ServerCallContext());
      return new Response(JSON.stringify(answer), {
        headers: { 'content-type': 'application/json' },
      });
    },
  });
  return transport.getTask({ tenant: '', id: task.id });
}

describe('authorization_details', () => {
  it('pass byte for byte over any number of hops, whatever JSON they are', () => {
    fc.assert(
      fc.property(jsonText, fc.integer({ min: 1, max: 4 }), (details, hops) => {
        let asked = ask(`[${details}]`);
        for (let hop = 0; hop < hops; hop += 1)
          asked = askOf(sent(taskWith(textPart('x'), askPartOf(asked))).status?.message)!;
        const elicitation = elicitationOf(asked, 'id');
        expect(elicitation.mode).toBe('url');
        expect(asked).toEqual(ask(`[${details}]`));
        expect(JSON.parse(JSON.stringify(elicitation))._meta[DETAILS_META]).toBe(`[${details}]`);
      }),
    );
  });

  it('and through agents that speak 0.3', async () => {
    await fc.assert(
      fc.asyncProperty(jsonText, async (details) => {
        const old = await sentOld(taskWith(textPart('x'), askPartOf(ask(`[${details}]`))));
        expect(askOf(sent(old).status?.message)).toEqual(ask(`[${details}]`));
      }),
      { numRuns: 50 },
    );
  });

  it('are, at the leaf, the arguments of the payload in their own order', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), (value) => {
        const args = value as JsonObject;
        const payload = {
          ...{ v: 2 as const, cmd: 'x', args, rar_type: 't', exp: 1, approver_id: 'a' },
          ...{ binding_message: 'm', aud: 'r', client_id: 'agent-d', nonce: 'n' },
        };
        const { authorization_details } = unsignedAsk(payload, 'u', [], (link) => link);
        const [detail] = JSON.parse(authorization_details) as [{ args: JsonObject }];
        expect(JSON.stringify(detail.args)).toBe(JSON.stringify(args));
      }),
    );
  });
});

describe('a call', () => {
  it('keeps every member, value and their order', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue()), (value) => {
        const args = JSON.parse(JSON.stringify(value)) as JsonObject;
        const carried = { tool: 'd.delete_task', args, links: ['a', 'b'] };
        const parts = sent(taskWith(...callParts(carried))).status!.message!.parts;
        const back = callOf({ parts })!;
        expect(back).toEqual(carried);
        expect(JSON.stringify(back.args)).toBe(JSON.stringify(args));
      }),
    );
  });
});

describe('a signed payload', () => {
  it('comes to the leaf as the text it was sent as', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const signedPayload = `[${text}]`;
        const { parts } = sent(taskWith(...resumeParts({ action: 'signed', signedPayload })))
          .status!.message!;
        expect(resumeOf({ parts })).toEqual({ action: 'signed', signedPayload });
      }),
    );
  });
});

describe('what is not exactly one part of the documented shape is none', () => {
  const one = askPartOf(ask('[]'));
  it.each([
    ['none', []],
    ['two', [one, one]],
    ['a member too many', [askPartOf({ ...ask('[]'), admin: true } as never)]],
    [
      'details that are not text',
      [askPartOf({ ...ask('[]'), authorization_details: [] } as never)],
    ],
    ['an agent id with other characters', [askPartOf({ ...ask('[]'), agent: 'agent d' })]],
  ])('%s', (_what, parts) => {
    expect(askOf(taskWith(...parts).status?.message)).toBeUndefined();
  });

  it('a message of words alone on a parked task means "continue"; one with unknown data means nothing', () => {
    expect(resumeOf({ parts: [textPart('go on')] })).toEqual({ action: 'continue' });
    expect(resumeOf({ parts: [one] })).toBeUndefined();
  });
});

describe('an elicitation’s answer', () => {
  it('accept is not consent: it only asks how things stand', () => {
    expect(resumeOfElicitation('accept')).toEqual({ action: 'continue' });
    expect(resumeOfElicitation('decline')).toEqual({ action: 'decline' });
    expect(resumeOfElicitation('cancel')).toEqual({ action: 'decline' });
  });
});

describe('outcomes', () => {
  const outcomes: Exclude<Outcome, ApprovalRequired>[] = [
    { kind: 'Success', result: { deleted: 't-1' }, consentId: 'id' },
    { kind: 'Failed', error: { code: 'NoSuchTask', message: 'gone' }, consentId: 'id' },
    { kind: 'Unauthorized', tool: 'x', missingScopes: ['a'], layer: 'dispatcher' },
    { kind: 'Declined', by: 'approver', reason: 'no', consentId: 'id' },
    { kind: 'Declined', by: 'client', consentId: 'id' },
    { kind: 'Refused', code: 'SignatureMismatch', layer: 'vault', consentId: 'id' },
    { kind: 'Refused', code: 'MalformedRequest', layer: 'rs', path: 'args.x', consentId: 'id' },
  ];
  it.each(outcomes)('$kind comes back as it was', (outcome) => {
    const { state, part } = finishedTask(outcome);
    const task = taskWith(part);
    const ended = sent({ ...task, status: { ...task.status!, state } });
    expect(outcomeOfTask(ended, 'id')).toEqual(outcome);
  });

  it('success under another state, or no outcome at all, is nobody’s success', () => {
    const { part } = finishedTask(outcomes[0]!);
    const failed = taskWith(part);
    failed.status!.state = TaskState.TASK_STATE_FAILED;
    expect(outcomeOfTask(failed, 'id')).toMatchObject({ kind: 'Refused', code: 'Unavailable' });
    const empty = taskWith(textPart('done!'));
    empty.status!.state = TaskState.TASK_STATE_COMPLETED;
    expect(outcomeOfTask(empty, 'id')).toMatchObject({ kind: 'Refused', code: 'Unavailable' });
  });

  it('a code outside the table is not repeated', () => {
    const part = finishedTask({ kind: 'Refused', code: 'Internal', layer: 'rs' }).part;
    const value =
      part.content?.$case === 'data' ? (part.content.value as Record<string, unknown>) : {};
    Object.assign(value, { code: '<b>Evil</b>', layer: 'nowhere' });
    const failed = taskWith(part);
    failed.status!.state = TaskState.TASK_STATE_FAILED;
    expect(outcomeOfTask(failed, 'id')).toMatchObject({ code: 'Unavailable', layer: 'bridge' });
  });
});
