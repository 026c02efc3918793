/**
 * The guard of npm `agent-passport-system` for MCP tool calls (`createApsMcpToolCallMiddleware`): one Ed25519 signature
 * of an agent, one single-use reference; no human, no second party. As it comes, used references are kept by whoever
 * calls it, here in a Set; `durable` keeps them in SQLite, one fsynced commit for each use.
 */
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import SQLite from 'better-sqlite3';
import { drive } from './measure.mjs';

const SERVER = 'https://tools.example.com';
const AGENT = 'did:example:agent';
const ARGUMENTS = { task_id: 't-1' };

/** Undefined if the package is not installed. */
export async function openGuard(directory) {
  const aps = await import('agent-passport-system').catch(() => undefined);
  if (aps === undefined) return undefined;
  const { publicKey, privateKey } = aps.generateKeyPair();
  const guardWith = (consume) =>
    aps.createApsMcpToolCallMiddleware({
      mcp_server: SERVER,
      resolve_key: () => ({ state: 'resolved', public_key_hex: publicKey }),
      consume_action_ref: consume,
      evaluate_authority: () => ({ state: 'permit', code: 'OK' }),
      emit_receipt: () => ({}),
    });
  const seen = new Set();
  const inMemory = guardWith((ref) => seen.size < seen.add(ref).size);
  const db = new SQLite(join(directory, 'guard.db'));
  db.pragma('journal_mode = WAL');
  db.pragma('synchronous = FULL');
  db.exec('CREATE TABLE used (ref TEXT PRIMARY KEY) WITHOUT ROWID');
  const insert = db.prepare('INSERT OR IGNORE INTO used VALUES (?)');
  const durable = guardWith((ref) => insert.run(ref).changes === 1);
  const request = () => {
    const now = Date.now();
    const authorization = aps.issueApsMcpAuthorizationV1({
      agent_id: AGENT,
      verification_method: `${AGENT}#key-1`,
      delegation_ref: 'delegation-1',
      mcp_server: SERVER,
      tool_name: 'get_task',
      arguments: ARGUMENTS,
      scope_required: ['tasks.read'],
      nonce: randomBytes(16).toString('hex'),
      issued_at: new Date(now - 1000).toISOString(),
      expires_at: new Date(now + 600_000).toISOString(),
      private_key_hex: privateKey,
    });
    const _meta = { [aps.APS_MCP_AUTHORIZATION_META]: authorization };
    return { method: 'tools/call', params: { name: 'get_task', arguments: ARGUMENTS, _meta } };
  };
  const round = (guard, calls) => {
    const requests = Array.from({ length: calls }, request);
    return drive(requests, 64, (r) => guard(r, { transport_authenticated: true }, () => ({})));
  };
  return {
    inMemory: (calls) => round(inMemory, calls),
    durable: (calls) => round(durable, calls),
    close: () => db.close(),
  };
}
