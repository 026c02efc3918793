import { DOMAINS } from '../../data-directory.js';
import { isTaken } from '../../ports.js';
import type { Finding, Patient } from '../finding.js';
import { ok, orOk, wrong } from '../finding.js';

/** Each configured port is free, or in use by this very stack. */
export async function checkPorts({ data, configs, running }: Patient): Promise<readonly Finding[]> {
  if (running) return [ok(`bridge up runs on ${data}`)];
  const taken = await Promise.all(
    DOMAINS.map(async (domain) => {
      const { port } = configs[domain].listen;
      const fix = `stop that program, or change listen.port and the addresses that name it in ${data}`;
      return (await isTaken(port))
        ? [wrong(`port ${port} of ${domain} is in use by another program`, fix)]
        : [];
    }),
  );
  return orOk(taken.flat(), 'all four ports are free');
}
