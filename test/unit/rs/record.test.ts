import Database from 'better-sqlite3';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Fixture } from './fixture.js';

let f: Fixture;
beforeEach(async () => {
  f = await new Fixture().start();
});
afterEach(() => f.close());
const events = () => f.record().map((entry) => entry.event);

describe('the record', () => {
  it('has exactly one entry per event, and tells refusals apart', async () => {
    const call = f.request();
    await f.execute(call);
    await f.execute(call);
    await f.open('list_tasks', {});
    await f.open('delete_task', { task_id: 't-2' }, { scopes: [] });
    await f.open('delete_task', { task_id: 't-2' });
    expect(events()).toEqual([
      'approver.trusted',
      'execution.started',
      'execution.finished',
      'execution.refused',
      'execution.open',
      'execution.refused',
      'execution.refused',
    ]);
    const refused = f.record().filter((entry) => entry.event === 'execution.refused');
    expect(refused.map((entry) => entry['code'])).toEqual([
      'CredentialReplay',
      'Unauthorized',
      'ApprovalRequired',
    ]);
    expect(refused[0]).toMatchObject({
      domain: 'rs',
      layer: 'rs',
      service: 'bridge',
      command: 'delete_task',
      subject: 'alice',
      client_id: 'agent',
    });
  });

  it('says who, which key, which bytes and what came of it, and no secret', async () => {
    const call = f.request({ payload: f.payload({ args: { task_id: 't-2' } }) });
    await f.execute(call);
    const claims = f.claims(call.signed.payload);
    const [started, finished] = f.record().slice(-2);
    expect(started).toMatchObject({
      event: 'execution.started',
      hash: claims.consent.hash,
      exp: claims.exp,
      approver_id: 'alice',
      key_id: f.alice.keyId,
      client_id: 'agent',
      at_ms: f.nowMs,
    });
    expect(finished).toMatchObject({ event: 'execution.finished', status: 'success' });
    expect(finished?.['outcome_sha256']).toMatch(/^[\w-]{43}$/);
    expect(finished?.['jti']).toBe(started?.['jti']);
    const text = JSON.stringify(f.record());
    for (const secret of [call.credential, call.signed.signature.signature, 't-2', 'Delete task']) {
      expect(text).not.toContain(secret);
    }
  });

  it('cannot be changed, nor young rows removed', () => {
    const db = new Database(join(f.dir, 'rs.db'));
    db.prepare("INSERT INTO record (at_ms, event, data) VALUES (1, 'old', '{}')").run();
    expect(() => db.exec("UPDATE record SET event = 'x'")).toThrow(/append only/);
    expect(() => db.exec("DELETE FROM record WHERE event <> 'old'")).toThrow(/30 days/);
    expect(db.prepare("DELETE FROM record WHERE event = 'old'").run().changes).toBe(1);
    db.close();
  });

  it('does not grow by strangers', async () => {
    const before = events();
    await f.http('POST', '/v1/execute', '{}', { authorization: 'Bearer a.b.c' });
    expect(events()).toEqual(before);
  });
});
