import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import type { Domain } from './data-directory.js';

export type Ports = Readonly<Record<Domain, number>>;

/** Four ports in a row: bridge, consent-ui, vault, rs. The default base is 8420. */
export function portsFrom(base: number): Ports {
  return { bridge: base, 'consent-ui': base + 1, vault: base + 2, rs: base + 3 };
}

/** Four free ports in a row, below the range the kernel hands to outgoing connections. For tests and temporary stacks. */
export async function freePorts(): Promise<Ports> {
  for (;;) {
    const ports = portsFrom(randomInt(10_000, 32_000));
    const taken = await Promise.all(Object.values(ports).map(isTaken));
    if (!taken.includes(true)) return ports;
  }
}

/** True when nothing more can listen on this loopback port. */
export function isTaken(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(true));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(false)));
  });
}
