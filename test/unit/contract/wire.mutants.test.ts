import { describe, expect, it } from 'vitest';
import {
  authorizationDetail,
  consentClaim,
  credentialClaims,
} from '../../../src/contract/vault.js';
import * as wire from '../../../src/contract/wire.js';
import {
  expectLoose,
  expectNeeded,
  expectOptional,
  expectStrict,
  expectText,
  expectWord,
  namesBut,
  withMember,
} from './shapes.js';

const KEY_ID = 'A'.repeat(43);
const caller = { subject: 'alice', client_id: 'agent', scopes: ['tasks.read', 'tasks.write'] };
const payload = {
  v: 2,
  cmd: 'delete_task',
  args: { task_id: 't-1' },
  rar_type: 'action',
  exp: 1_900_000_000,
  approver_id: 'alice',
  binding_message: 'Delete t-1',
  aud: 'https://rs',
  client_id: 'agent',
  nonce: 'n-1',
};
const signed = {
  payload,
  signature: { scheme: 'eddsa', key_id: KEY_ID, signature: 'A'.repeat(86) },
};
const lane = {
  id: 'lane',
  client: { name: 'Claude', version: '1.0' },
  capabilities: { sampling: {} },
  log_level: 'warning',
};
const rpc = { code: -32_603, message: 'no', data: [1] };
const success = { status: 'success', jti: 'j', result: { ok: true } };
const failure = {
  status: 'failure',
  jti: 'j',
  error: { code: 'NoSuchTask', message: 'There is none.', rpc },
  result: { content: [] },
};

it('the identifiers on the wire are those of the specifications', () => {
  expect({ ...wire }).toMatchObject({
    TOKEN_EXCHANGE_GRANT: 'urn:ietf:params:oauth:grant-type:token-exchange',
    SIGNED_PAYLOAD_TOKEN_TYPE: 'urn:consent-bridge:token-type:signed-payload',
    ACCESS_TOKEN_TYPE: 'urn:ietf:params:oauth:token-type:access_token',
    CLIENT_ASSERTION_TYPE: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
    CLIENT_ASSERTION_TYP: 'client-authentication+jwt',
    APPROVER_ASSERTION_TYP: 'approver-authentication+jwt',
    CREDENTIAL_TYP: 'at+jwt',
    MAX_BODY_BYTES: 262_144,
  });
});

it('a caller has a subject, a client and scopes', () => {
  expectStrict(wire.caller, caller);
  expectNeeded(wire.caller, caller, 'subject', 'client_id', 'scopes');
  expectText(wire.caller, caller, ['subject'], 1, 256);
  expectText(wire.caller, caller, ['client_id'], 1, 256);
  expectText(wire.caller, caller, ['scopes', 1], 1, 128);
  const scopes = (n: number) => wire.caller.safeParse({ ...caller, scopes: Array(n).fill('s') });
  expect([0, 1, 64, 65].map((n) => scopes(n).success)).toEqual([true, true, true, false]);
});

describe('a proposal', () => {
  const proposal = {
    payload,
    requested_by: { subject: 'alice', client_id: 'agent', client_name: 'Claude' },
    tool: {
      title: 'Delete a task',
      description: 'For ever.',
      digest: 'abc',
      input_schema: { type: 'object' },
      annotations: { destructiveHint: true },
    },
  };

  it('says what is asked, by whom, with which tool', () => {
    expectStrict(wire.proposal, proposal);
    expectNeeded(wire.proposal, proposal, 'payload', 'requested_by', 'tool');
    const { subject, client_id } = proposal.requested_by;
    expectOptional(wire.proposal, proposal, ['requested_by', 'client_name']);
    expectOptional(
      wire.proposal,
      { ...proposal, requested_by: { subject, client_id } },
      ...Object.keys(proposal.tool).map((member) => ['tool', member]),
    );
  });

  it('holds no member beside these, at any level', () => {
    for (const path of [['requested_by'], ['tool'], ['payload']]) {
      const more = withMember(proposal, [...path, 'unknown'], 1);
      expect(wire.proposal.safeParse(more).success).toBe(false);
    }
    const form1 = { ...payload, v: undefined };
    expect(wire.proposal.safeParse({ ...proposal, payload: form1 }).success).toBe(false);
  });

  it('bounds what is shown', () => {
    expectText(wire.proposal, proposal, ['requested_by', 'subject'], 1, 256);
    expectText(wire.proposal, proposal, ['requested_by', 'client_id'], 1, 256);
    expectText(wire.proposal, proposal, ['requested_by', 'client_name'], 0, 256);
    expectText(wire.proposal, proposal, ['tool', 'title'], 0, 256);
    expectText(wire.proposal, proposal, ['tool', 'description'], 0, 100_000);
    expectText(wire.proposal, proposal, ['tool', 'digest'], 0, 64);
  });
});

it('a decision is in one of five states', () => {
  const decision = { id: 'c', status: 'approved', decided_at: 1, signed, reason: 'why not' };
  expectStrict(wire.decision, decision);
  expectNeeded(wire.decision, decision, 'id', 'status');
  expectOptional(wire.decision, decision, ['decided_at'], ['signed'], ['reason']);
  expectText(wire.decision, decision, ['reason'], 0, 2000);
  const states = ['pending', 'approved', 'declined', 'expired', 'cancelled'];
  expectWord(wire.decision, decision, ['status'], states);
  expect(wire.decisionStatus.options).toEqual(states);
});

it('an outcome report is in one of five states', () => {
  const report = { state: 'refused', code: 'CredentialDrift', at: 1 };
  expectStrict(wire.outcomeReport, report);
  expectNeeded(wire.outcomeReport, report, 'state', 'at');
  expectOptional(wire.outcomeReport, report, ['code']);
  expectText(wire.outcomeReport, report, ['code'], 0, 64);
  const states = ['minted', 'success', 'failure', 'refused', 'indeterminate'];
  expectWord(wire.outcomeReport, report, ['state'], states);
});

it('a token response is no bearer token’s', () => {
  const response = {
    access_token: 'e.y.J',
    issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
    token_type: 'N_A',
    expires_in: 60,
    jti: 'j',
    exp: 1,
    approver_id: 'alice',
    command: 'delete_task',
  };
  expectLoose(wire.tokenResponse, response);
  expectNeeded(wire.tokenResponse, response, ...Object.keys(response));
  expectWord(wire.tokenResponse, response, ['token_type'], ['N_A']);
  expectWord(wire.tokenResponse, response, ['issued_token_type'], [wire.ACCESS_TOKEN_TYPE]);
  expect(wire.tokenResponse.safeParse({ ...response, expires_in: 1.5 }).success).toBe(false);
});

it('a lane names one client’s connections', () => {
  expectStrict(wire.lane, lane);
  expectNeeded(wire.lane, lane, 'id', 'capabilities');
  expectOptional(wire.lane, lane, ['client'], ['log_level']);
  expectText(wire.lane, lane, ['id'], 1, 256);
  expectText(wire.lane, lane, ['client', 'name'], 0, 256);
  expectText(wire.lane, lane, ['client', 'version'], 0, 256);
  expectText(wire.lane, lane, ['log_level'], 0, 32);
  expect(wire.lane.safeParse(withMember(lane, ['client', 'more'], 1)).success).toBe(false);
});

it('an execution is asked for with a command, arguments and a caller', () => {
  const request = {
    ...{ command: 'delete_task', args: {}, caller, credential: 'e.y.J', signed, lane },
    meta: { progressToken: 1 },
    progress: true,
  };
  expectStrict(wire.executeRequest, request);
  expectNeeded(wire.executeRequest, request, 'command', 'args', 'caller');
  const optional = [['credential'], ['signed'], ['lane'], ['meta'], ['progress']];
  expectOptional(wire.executeRequest, request, ...optional);
  expectText(wire.executeRequest, request, ['command'], 1, 256);
  expectText(wire.executeRequest, request, ['credential'], 0, wire.MAX_BODY_BYTES);
});

describe('an outcome', () => {
  it('is a success with its result', () => {
    expectStrict(wire.executionOutcome, success);
    expectNeeded(wire.executionOutcome, success, 'status', 'result');
    expectOptional(wire.executionOutcome, success, ['jti']);
    expect(wire.executionOutcome.safeParse({ ...success, error: failure.error }).success).toBe(
      false,
    );
  });

  it('or a failure with its error', () => {
    expectStrict(wire.executionOutcome, failure);
    expectNeeded(wire.executionOutcome, failure, 'status', 'error');
    expectOptional(wire.executionOutcome, failure, ['jti'], ['result'], ['error', 'rpc']);
    const more = withMember(failure, ['error', 'more'], 1);
    expect(wire.executionOutcome.safeParse(more).success).toBe(false);
  });

  it('and nothing else', () => {
    expectWord(wire.executionOutcome, success, ['status'], ['success']);
    expectWord(wire.executionOutcome, failure, ['status'], ['failure']);
  });

  it('is kept beside its state', () => {
    const state = { jti: 'j', state: 'success', outcome: success };
    expectStrict(wire.executionState, state);
    expectNeeded(wire.executionState, state, 'jti', 'state');
    expectOptional(wire.executionState, state, ['outcome']);
    const states = ['started', 'success', 'failure', 'indeterminate'];
    expectWord(wire.executionState, state, ['state'], states);
  });
});

it('an RPC error has a whole number as its code', () => {
  expectStrict(wire.rpcError, rpc);
  expectNeeded(wire.rpcError, rpc, 'code', 'message');
  expectOptional(wire.rpcError, rpc, ['data']);
  expect(wire.rpcError.safeParse({ ...rpc, code: 0.5 }).success).toBe(false);
});

const tool = {
  name: 'fs.delete',
  title: 'Delete',
  description: 'For ever.',
  input_schema: { type: 'object' },
  output_schema: { type: 'object' },
  annotations: { readOnlyHint: false, more: { deep: [null] } },
  more: { icons: [] },
  digest: 'abc',
  upstream: 'fs',
  blocked: true,
};

it('a tool is defined by its name and what it takes', () => {
  expectStrict(wire.toolDefinition, tool);
  expectNeeded(wire.toolDefinition, tool, 'name', 'input_schema');
  const optional = namesBut(tool, 'name', 'input_schema');
  expectOptional(wire.toolDefinition, tool, ...optional.map((member) => [member]));
  expectText(wire.toolDefinition, tool, ['name'], 1, 256);
});

describe('the surface', () => {
  const surface = {
    revision: 3,
    tools: [tool],
    resources: [{ upstream: 'fs', uri: 'file:///a', mimeType: 'text/plain' }],
    resource_templates: [{ upstream: 'fs', uriTemplate: 'file:///{a}', more: 1 }],
    prompts: [{ upstream: 'fs', name: 'review', more: 1 }],
    upstreams: [
      {
        ...{ name: 'fs', state: 'ready', detail: 'why', prefix: 'fs.' },
        ...{ capabilities: { tools: {} }, instructions: 'Do.', server: { name: 'x' } },
      },
    ],
  };

  it('lists everything, each with the upstream that has it', () => {
    expectStrict(wire.surface, surface);
    expectNeeded(wire.surface, surface, ...Object.keys(surface));
    const needed = [
      ...[['resources', 0, 'uri'] as const, ['resources', 0, 'upstream'] as const],
      ...[['resource_templates', 0, 'uriTemplate'] as const, ['prompts', 0, 'name'] as const],
      ...[['upstreams', 0, 'name'] as const, ['upstreams', 0, 'prefix'] as const],
    ];
    for (const path of needed) {
      const without = withMember(surface, path, undefined);
      expect(wire.surface.safeParse(without).success, path.join('.')).toBe(false);
    }
    expect(wire.surface.safeParse({ ...surface, revision: 0.5 }).success).toBe(false);
  });

  it('says how each upstream is', () => {
    const words = ['starting', 'ready', 'down'];
    expectWord(wire.surface, surface, ['upstreams', 0, 'state'], words);
    const members = ['detail', 'capabilities', 'instructions', 'server'];
    expectOptional(wire.surface, surface, ...members.map((name) => ['upstreams', 0, name]));
    const more = withMember(surface, ['upstreams', 0, 'more'], 1);
    expect(wire.surface.safeParse(more).success).toBe(false);
  });
});

it('only requests that run nothing are relayed', () => {
  const request = { upstream: 'fs', method: 'completion/complete', params: {}, caller, lane };
  expectStrict(wire.relayRequest, request);
  expectNeeded(wire.relayRequest, request, 'upstream', 'method', 'params', 'caller');
  expectOptional(wire.relayRequest, request, ['lane']);
  expectText(wire.relayRequest, request, ['upstream'], 1, 64);
  expectWord(
    wire.relayRequest,
    request,
    ['method'],
    ['completion/complete', 'resources/subscribe', 'resources/unsubscribe', 'logging/setLevel'],
  );
  expect(wire.relayRequest.safeParse({ ...request, method: 'tools/call' }).success).toBe(false);
});

it('events are asked for with or without a lane', () => {
  expectStrict(wire.eventsRequest, { caller, lane });
  expectOptional(wire.eventsRequest, { caller, lane }, ['caller'], ['lane']);
});

it('an ask is answered with a result or an error', () => {
  expectStrict(wire.askAnswer, { result: { roots: [] } });
  expectStrict(wire.askAnswer, { error: rpc });
  expect(wire.askAnswer.safeParse({ result: {}, error: rpc }).success).toBe(false);
  expect(wire.askAnswer.safeParse({}).success).toBe(false);
});

it.each([
  { kind: 'notification', method: 'notifications/progress', params: {} },
  { kind: 'ask', id: 'a', method: 'sampling/createMessage', params: {} },
  { kind: 'problem', problem: { status: 403 } },
  { kind: 'outcome', outcome: success },
  { kind: 'result', result: {} },
  { kind: 'error', error: rpc },
  { kind: 'surface', revision: 1 },
])('a line of kind $kind has exactly its members', (event) => {
  expectStrict(wire.runEvent, event);
  expectNeeded(wire.runEvent, event, ...Object.keys(event));
  expectWord(wire.runEvent, event, ['kind'], [event.kind]);
});

it('an upstream may ask three things', () => {
  const ask = { kind: 'ask', id: 'a', method: 'roots/list', params: {} };
  const methods = ['sampling/createMessage', 'elicitation/create', 'roots/list'];
  expectWord(wire.runEvent, ask, ['method'], methods);
  const round = { ...ask, round: { key: 'k', size: 1 } };
  expectStrict(wire.runEvent, round);
  expectText(wire.runEvent, round, ['round', 'key'], 0, 1024);
  const takes = (change: object) =>
    wire.runEvent.safeParse({ ...ask, round: { ...round.round, ...change } }).success;
  const sizes = [1, 2, 0, 1.5, undefined].map((size) => takes({ size }));
  expect(sizes).toEqual([true, true, false, false, false]);
  expect([takes({ key: undefined }), takes({ more: 1 })]).toEqual([false, false]);
});

it('a key in a directory is public and named by its thumbprint', () => {
  const key = {
    approver_id: 'alice',
    key_id: KEY_ID,
    scheme: 'webauthn',
    public_jwk: { kty: 'OKP' },
    credential_id: 'AAAA',
    label: 'laptop',
    created_at: 1,
  };
  expectStrict(wire.approverKey, key);
  expectNeeded(wire.approverKey, key, 'approver_id', 'key_id', 'scheme', 'public_jwk', 'label');
  expectOptional(wire.approverKey, key, ['credential_id']);
  expectText(wire.approverKey, key, ['approver_id'], 1, 256);
  expectText(wire.approverKey, key, ['label'], 0, 200);
  const schemes = ['webauthn', 'eddsa', 'es256', 'hmac-sha256'];
  expectWord(wire.approverKey, key, ['scheme'], schemes);
  expectStrict(wire.approverKeys, { keys: [key, key] });
});

describe('a credential', () => {
  const detail = { type: 'action', command: 'delete_task', args: { task_id: 't-1' } };
  const consent = { hash: KEY_ID, form: 2, nonce: 'n-1' };
  const claims = {
    ...{ iss: 'https://vault', aud: 'https://rs', sub: 'alice', client_id: 'agent' },
    ...{ iat: 1, exp: 2, jti: 'j', authorization_details: [detail], consent },
  };
  // Long enough for any identifier; the schema sets no limit.
  const LONG = 10_000;

  it('carries what was authorised', () => {
    expectStrict(authorizationDetail, detail);
    expectNeeded(authorizationDetail, detail, 'type', 'command', 'args');
    for (const member of ['type', 'command']) {
      const takes = (text: string) =>
        authorizationDetail.safeParse({ ...detail, [member]: text }).success;
      expect(['', 'a', 'a'.repeat(LONG)].map(takes)).toEqual([false, true, true]);
    }
  });

  it('names the signed bytes and their form', () => {
    expectStrict(consentClaim, consent);
    expectNeeded(consentClaim, consent, 'hash', 'form');
    expectOptional(consentClaim, consent, ['nonce']);
    const takes = (change: object) => consentClaim.safeParse({ ...consent, ...change }).success;
    expect([1, 2].map((form) => takes({ form }))).toEqual([true, true]);
    expect([0, 3, '1', null].map((form) => takes({ form }))).toEqual(Array(4).fill(false));
    expect([42, 43, 44].map((n) => takes({ hash: 'A'.repeat(n) }))).toEqual([false, true, false]);
    expect(['', 'a', 'ab'].map((nonce) => takes({ nonce }))).toEqual([false, true, true]);
  });

  it('has its claims, and may have others', () => {
    expectLoose(credentialClaims, claims);
    expectNeeded(credentialClaims, claims, ...namesBut(claims, 'client_id'));
    expectOptional(credentialClaims, claims, ['client_id']);
    const takes = (change: object) => credentialClaims.safeParse({ ...claims, ...change }).success;
    for (const claim of ['iss', 'aud', 'sub', 'client_id']) {
      const texts = ['', 'a', 'a'.repeat(LONG)].map((text) => takes({ [claim]: text }));
      expect([claim, ...texts]).toEqual([claim, false, true, true]);
    }
    const lists = [['a', 'ab'], [], [''], [7]].map((aud) => takes({ aud }));
    expect(lists).toEqual([true, true, false, false]);
    expectText(credentialClaims, claims, ['jti'], 1, 128);
  });
});
