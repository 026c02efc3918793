/**
 * Claim: Nothing is reachable from another machine unless an operator says so.
 * Enforced by: src/cli/initial-configs.ts
 */
import { expect } from 'vitest';
import { attack } from '../support/attack.js';
import { readFileSync } from 'node:fs';

attack('all four listen on loopback addresses alone', async ({ world }) => {
  const { configs } = world.stack;
  const ports = Object.values(configs).map(({ listen }) => listen.port);
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, '0');
  const listening = ['/proc/net/tcp', '/proc/net/tcp6']
    .flatMap((file) => readFileSync(file, 'utf8').split('\n'))
    .map((line) => line.trim().split(/\s+/))
    .filter((columns) => columns[3] === '0A')
    .map((columns) => columns[1] ?? '');
  for (const port of ports) {
    const addresses = listening
      .filter((address) => address.endsWith(`:${hex(port)}`))
      .map((address) => address.split(':')[0]);
    expect(addresses).toEqual(['0100007F']);
  }
  expect((await world.execute(await world.approvedDeletion())).status).toBe(200);
});
