import { describe, expect, it } from 'vitest';
import { LegacySessions } from '../../../src/mcp/legacy-session.js';

const key = Buffer.alloc(32, 7);
const alice = { subject: 'alice', client_id: 'agent', scopes: [] };
const capabilities = { sampling: {}, elicitation: { url: {} } };
const peer = { elicitation: 'url', name: 'client 1.0', capabilities } as const;

describe('a sealed session id', () => {
  it('carries what initialize declared, across restarts', () => {
    const { id } = new LegacySessions(key).open(peer, alice);
    expect(new LegacySessions(key).find(id, alice)?.peer).toEqual(peer);
    expect(id).toMatch(/^[\x21-\x7e]+$/);
  });

  it('is different each time', () => {
    const sessions = new LegacySessions(key);
    expect(sessions.open(peer, alice).id).not.toBe(sessions.open(peer, alice).id);
  });

  it('is nobody else’s', () => {
    const sessions = new LegacySessions(key);
    const { id } = sessions.open(peer, alice);
    expect(sessions.find(id, { ...alice, subject: 'mallory' })).toBeUndefined();
    expect(sessions.find(id, { ...alice, client_id: 'other' })).toBeUndefined();
    expect(new LegacySessions(Buffer.alloc(32, 8)).find(id, alice)).toBeUndefined();
  });

  it('cannot be edited, even to declare more than the client did', () => {
    const sessions = new LegacySessions(key);
    const { id } = sessions.open({ elicitation: 'none', name: undefined, capabilities: {} }, alice);
    const [sealed = '', tag = ''] = id.split('.');
    const body = JSON.parse(Buffer.from(sealed, 'base64url').toString()) as Record<string, unknown>;
    const forged = Buffer.from(JSON.stringify({ ...body, u: true })).toString('base64url');
    expect(sessions.find(id, alice)).toBeDefined();
    for (const bad of [
      `${forged}.${tag}`,
      `${id}.x`,
      `${sealed}.`,
      sealed,
      '',
      '..',
      `${sealed}.${'A'.repeat(43)}`,
    ]) {
      expect(sessions.find(bad, alice)).toBeUndefined();
    }
  });
});
