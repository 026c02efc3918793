/**
 * Goes into a domain's process from outside (`node --import`), so that the product has no hooks for tests. On orders over
 * IPC it starts the program, does something to it at a given step (kills it, tells it to end, fills the disk), or moves its
 * clock.
 *
 * A failpoint lies before and after every COMMIT (and every write outside a transaction), every request to another
 * domain, and every HTTP answer: between any two durable steps, whoever takes them, there is one.
 */
import { closeSync, openSync, writeSync } from 'node:fs';
import { ServerResponse } from 'node:http';
import Database from 'better-sqlite3';
import { Pool } from 'undici';

/** Failpoints still to pass before the end; NaN while none is armed. */
let left = NaN;
let shift = 0;
let start;
const started = new Promise((resolve) => (start = resolve));

/** What to do when a point with such a name is reached: once. */
let ambush;

function point(label) {
  if (ambush !== undefined && new RegExp(ambush.at).test(label)) {
    const { signal, fill } = ambush;
    ambush = undefined;
    writeSync(2, `reached: ${label}\n`);
    if (fill !== undefined) fillUp(fill);
    if (signal !== undefined) process.kill(process.pid, signal);
  }
  left -= 1;
  if (left !== 0) return;
  writeSync(2, `failpoint: ${label}\n`);
  process.kill(process.pid, 'SIGKILL');
}

/** Leaves no octet free on the file system of this file. */
function fillUp(file) {
  const fd = openSync(file, 'w');
  for (const size of [65_536, 512, 1]) {
    try {
      for (;;) if (writeSync(fd, Buffer.alloc(size)) === 0) break;
    } catch {
      // no space for so many: try fewer
    }
  }
  closeSync(fd);
}

process.on('message', (order) => {
  if (order.crashAt !== undefined) left = order.crashAt;
  if (order.shiftMs !== undefined) shift = order.shiftMs;
  if (order.ambush !== undefined) ambush = order.ambush;
  if (order.start === true) start();
  process.send({ done: order.id });
});
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));

const realNow = Date.now;
Date.now = () => realNow() + shift;

/** What the open transaction wrote, to name its COMMIT by. */
let wrote = '';
const Statement = Object.getPrototypeOf(new Database(':memory:').prepare('SELECT 1'));
for (const name of ['run', 'get', 'all']) {
  const original = Statement[name];
  Statement[name] = function (...args) {
    const { source, readonly, database } = this;
    const commits = source === 'COMMIT';
    const writes = !readonly && !/^(BEGIN|SAVEPOINT|RELEASE|ROLLBACK)/.test(source);
    if (writes) wrote = source.trim().replace(/\s+/g, ' ').split(' ').slice(0, 3).join(' ');
    const durable = commits || (writes && !database.inTransaction);
    if (durable) point(`before the commit of ${wrote}`);
    const result = original.apply(this, args);
    if (durable) point(`after the commit of ${wrote}`);
    return result;
  };
}

const send = Pool.prototype.request;
Pool.prototype.request = async function (options, ...rest) {
  const name = `${options.method} ${options.path.split(/[?]/)[0].replace(/[\w-]{30,}/, ':id')}`;
  point(`before ${name} is sent`);
  const response = await send.call(this, options, ...rest);
  point(`after ${name} was answered`);
  return response;
};

const end = ServerResponse.prototype.end;
ServerResponse.prototype.end = function (...args) {
  const { method = '', url = '' } = this.req ?? {};
  const name = `${method} ${url.split(/[?]/)[0].replace(/[\w-]{30,}/, ':id')}`;
  point(`before ${name} is answered`);
  const result = end.apply(this, args);
  point(`after the answer of ${name}`);
  return result;
};

// Reads the program's modules now and runs it when told to, so that a spare is up again at once.
await Promise.all(process.env['MODULES_AHEAD'].split(' ').map((module) => import(module)));
await started;
process.channel.unref();
