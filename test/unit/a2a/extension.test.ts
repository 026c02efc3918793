import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { EXTENSION_URI, askPart, callPart, extensionPart } from '../../../src/a2a/extension.js';
import { agentCard } from '../../../src/a2a/agent/agent-card.js';
import { a2aConfig } from '../../../src/a2a/config.js';
import { generateJwk, publicJwk } from '../../../src/cli/jwk.js';

const at = (name: string): string =>
  fileURLToPath(new URL(`../../../src/a2a/${name}`, import.meta.url));

describe('the extension as others read of it', () => {
  it('has the JSON Schema made from the schemas it is checked with (UPDATE_DOCS=1 writes it)', () => {
    const made = z.toJSONSchema(extensionPart, {
      unrepresentable: 'any',
      override: ({ zodSchema, jsonSchema }) => {
        if (zodSchema._zod.def.type === 'custom') jsonSchema.type = 'object';
      },
    });
    const schema = { $id: EXTENSION_URI, title: 'Data parts of the consent extension', ...made };
    const text = `${JSON.stringify(schema, null, 2)}\n`;
    if (process.env['UPDATE_DOCS'] === '1') writeFileSync(at('extension.schema.json'), text);
    expect(JSON.parse(readFileSync(at('extension.schema.json'), 'utf8'))).toEqual(schema);
  });

  it('has examples that are what they say', () => {
    const text = readFileSync(at('EXTENSION.md'), 'utf8');
    const examples = [...text.matchAll(/```json\n([^]*?)```/g)].map(
      ([, json]) => JSON.parse(json!) as unknown,
    );
    const parts = examples.filter(
      (value) => typeof value === 'object' && value !== null && 'kind' in value,
    );
    expect(parts.length).toBeGreaterThanOrEqual(4);
    for (const part of parts) extensionPart.parse(part);
    expect(parts.some((part) => askPart.safeParse(part).success)).toBe(true);
    expect(parts.some((part) => callPart.safeParse(part).success)).toBe(true);
    expect(text).toContain(EXTENSION_URI);
  });
});

const config = {
  agent_id: 'agent-d',
  key_file: 'agent.jwk',
  url: 'http://127.0.0.1:8420',
  trusted: { 'agent-c': publicJwk(generateJwk('ES256')) },
  serve: {},
  agents: [
    {
      ...{ name: 'd', agent_id: 'agent-d', url: 'http://127.0.0.1:9', scopes: [] },
      ...{ tokens: { alice: 'd.token' }, consent_origins: ['http://localhost:8421'] },
    },
  ],
};

describe('the configuration', () => {
  it('is strict, so a misspelt member is not silently ignored', () => {
    expect(a2aConfig.safeParse(config).success).toBe(true);
    expect(a2aConfig.safeParse({ ...config, trustd: {} }).success).toBe(false);
    expect(a2aConfig.safeParse({ ...config, serve: { push: [] } }).success).toBe(false);
    expect(
      a2aConfig.safeParse({ ...config, agents: [{ ...config.agents[0], token: 'x' }] }).success,
    ).toBe(false);
  });

  it.each([
    ['a private key among the trusted', { trusted: { x: generateJwk('ES256') } }],
    ['an agent id with other characters', { agent_id: 'agent d' }],
    [
      'a name with a dot, which would read as two hops',
      { agents: [{ ...config.agents[0], name: 'c.d' }] },
    ],
    ['no page a person may be sent to', { agents: [{ ...config.agents[0], consent_origins: [] }] }],
  ])('refuses %s', (_what, change) => {
    expect(a2aConfig.safeParse({ ...config, ...change }).success).toBe(false);
  });
});

describe('the card', () => {
  it('says which extension, whose approvals, and, to anybody, no tools', () => {
    const card = agentCard(a2aConfig.parse(config));
    expect(card.skills.map(({ id }) => id)).toEqual(['run-tool']);
    expect(card.capabilities?.extensions).toMatchObject([
      { uri: EXTENSION_URI, required: false, params: { agent: 'agent-d' } },
    ]);
    expect(card.capabilities?.extensions[0]?.params).not.toHaveProperty('tools');
    expect(card.capabilities?.pushNotifications).toBe(false);
  });
});
