/** The HTTP contract of the resource server as an OpenAPI 3.1 document, made from the schemas it checks with. */
import * as z from 'zod';
import { REFUSALS } from '../src/contract/errors.js';
import { jsonObject, jsonValue, signedPayload } from '../src/contract/payload.js';
import { credentialClaims } from '../src/contract/vault.js';
import {
  askAnswer,
  eventsRequest,
  executeRequest,
  executionOutcome,
  executionState,
  relayRequest,
  runEvent,
  surface,
} from '../src/contract/wire.js';

const COMPONENTS = {
  ExecuteRequest: executeRequest,
  ExecutionOutcome: executionOutcome,
  ExecutionState: executionState,
  SignedPayload: signedPayload,
  CredentialClaims: credentialClaims,
  Surface: surface,
  RelayRequest: relayRequest,
  EventsRequest: eventsRequest,
  AskAnswer: askAnswer,
  RunEvent: runEvent,
} as const;

const DESCRIPTION = `A resource server runs commands. One that is gated runs only with a credential and the signed payload
it was minted from. Any service can take this place: it answers \`POST /v1/execute\` and, before it acts, checks in this
order, each with its own keys, clock and stores:

1. \`credential\` is a compact JWS of at most 256 KiB with \`typ\` \`at+jwt\`, an \`alg\` it pinned for the \`kid\`, and no \`crit\`;
   its signature verifies with that key of the vault's JWKS. No other header member is read.
2. \`iss\` is the vault, \`aud\` is this server (a string, or an array that names it alone), \`exp\` is in the future and \`iat\` is not
   (30 seconds of skew, \`iat\` not after \`exp\`).
3. \`client_id\`, where present, is \`caller.client_id\`.
4. \`authorization_details\` has exactly one entry, of a known \`type\`; its \`command\` and \`args\` equal those of the call.
5. The canonical bytes (CANONICAL.md) are rebuilt from the call itself and the remaining signed members; their SHA-256 is
   \`consent.hash\`, and \`aud\`, \`client_id\`, \`nonce\` and \`exp\` are those of the credential.
6. \`signed.signature\` verifies over these bytes with a key that this server's own directory holds for \`sub\`, and its own
   policy lets \`sub\` approve the command.
7. \`jti\` and the hash of the signed bytes were never used: both are written down, durably, before anything runs.

A failed check is a problem document (RFC 9457) with the \`code\` named below and nothing runs.`;

type Method = 'get' | 'post';
interface Operation {
  readonly summary: string;
  readonly body?: keyof typeof COMPONENTS;
  readonly answer?: keyof typeof COMPONENTS;
  /** Answered as lines of this (application/x-ndjson). */
  readonly lines?: keyof typeof COMPONENTS;
  readonly parameter?: string;
  readonly open?: true;
}

const PATHS: Readonly<Record<string, Partial<Record<Method, Operation>>>> = {
  '/v1/execute': {
    post: {
      summary:
        'Run one command, once. Lines when the request accepts them, else the outcome alone.',
      body: 'ExecuteRequest',
      answer: 'ExecutionOutcome',
      lines: 'RunEvent',
    },
  },
  '/v1/executions/{jti}': {
    get: { summary: 'What became of a credential.', parameter: 'jti', answer: 'ExecutionState' },
  },
  '/v1/surface': { get: { summary: 'What can be run, read and listed.', answer: 'Surface' } },
  '/v1/relay': {
    post: {
      summary: 'Pass a request that runs nothing to an upstream server.',
      body: 'RelayRequest',
      lines: 'RunEvent',
    },
  },
  '/v1/events': {
    post: {
      summary:
        'What upstream servers say on a lane outside any run; without a lane, changes of the surface.',
      body: 'EventsRequest',
      lines: 'RunEvent',
    },
  },
  '/v1/asks/{id}': {
    post: {
      summary: 'Answer what an upstream server asked while it ran.',
      parameter: 'id',
      body: 'AskAnswer',
    },
  },
  '/healthz': { get: { summary: 'Whether the process answers.', open: true } },
};

export function openApi(version: string): object {
  return {
    openapi: '3.1.0',
    info: { title: 'consent-bridge resource server', version, description: DESCRIPTION },
    security: [{ clientAssertion: [] }],
    paths: Object.fromEntries(
      Object.entries(PATHS).map(([path, methods]) => [
        path,
        Object.fromEntries(
          Object.entries(methods).map(([method, operation]) => [method, operationOf(operation)]),
        ),
      ]),
    ),
    components: {
      schemas: {
        ...Object.fromEntries(
          Object.entries(COMPONENTS).map(([name, schema]) => [name, jsonSchemaOf(schema)]),
        ),
        Problem: PROBLEM,
      },
      securitySchemes: {
        clientAssertion: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description:
            'A JWT the calling service signs with its own key (RFC 7523), `typ` client-authentication+jwt, `aud` this server, at most 60 seconds old.',
        },
      },
    },
  };
}

/** RFC 9457, with our extension members. */
const PROBLEM = {
  type: 'object',
  required: ['type', 'title', 'status', 'code', 'layer'],
  properties: {
    type: { type: 'string', format: 'uri' },
    title: { type: 'string' },
    status: { type: 'integer' },
    code: {
      enum: Object.keys(REFUSALS),
      description: Object.entries(REFUSALS)
        .map(([code, { status, sentence }]) => `${code} (${status}): ${sentence}`)
        .join('\n'),
    },
    layer: { enum: ['client', 'bridge', 'dispatcher', 'consent-ui', 'vault', 'rs'] },
    path: { type: 'string' },
    missing_scopes: { type: 'array', items: { type: 'string' } },
  },
};

function operationOf({ summary, body, answer, lines, parameter, open }: Operation): object {
  const content = {
    ...(answer === undefined ? {} : { 'application/json': { schema: ref(answer) } }),
    ...(lines === undefined ? {} : { 'application/x-ndjson': { schema: ref(lines) } }),
  };
  const nothing = Object.keys(content).length === 0;
  return {
    summary,
    ...(open === true ? { security: [] } : {}),
    ...(parameter === undefined
      ? {}
      : {
          parameters: [{ name: parameter, in: 'path', required: true, schema: { type: 'string' } }],
        }),
    ...(body === undefined
      ? {}
      : {
          requestBody: { required: true, content: { 'application/json': { schema: ref(body) } } },
        }),
    responses: {
      ...(nothing && open !== true
        ? { 204: { description: 'Taken.' } }
        : { 200: { description: 'As asked.', ...(nothing ? {} : { content }) } }),
      default: {
        description: 'Refused.',
        content: { 'application/problem+json': { schema: ref('Problem') } },
      },
    },
  };
}

function ref(name: string): object {
  return { $ref: `#/components/schemas/${name}` };
}

function jsonSchemaOf(schema: z.ZodType): object {
  const { $schema: _, ...document } = z.toJSONSchema(schema, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      if ((zodSchema as unknown) === jsonObject) jsonSchema.type = 'object';
      if ((zodSchema as unknown) === jsonValue) jsonSchema.description = 'Any JSON value';
    },
  });
  return document;
}
