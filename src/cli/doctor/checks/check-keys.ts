import type { JsonWebKey } from 'node:crypto';
import { join } from 'node:path';
import type { Domain } from '../../data-directory.js';
import { domainDir, readJson } from '../../data-directory.js';
import { thumbprint } from '../../jwk.js';
import type { Finding, Patient } from '../finding.js';
import { orOk, wrong } from '../finding.js';

/** The public key each callee has of a client belongs to the private key that client has. */
export function checkKeys({ data, configs }: Patient): readonly Finding[] {
  const own = {
    bridge: configs.bridge.client,
    'consent-ui': configs['consent-ui'].client,
    rs: configs.rs.client,
  };
  const callers: Record<keyof typeof own, readonly Exclude<Domain, 'bridge'>[]> = {
    bridge: ['vault', 'rs', 'consent-ui'],
    'consent-ui': ['vault'],
    rs: ['vault'],
  };
  const problems = (['bridge', 'consent-ui', 'rs'] as const).flatMap((caller) => {
    const client = own[caller];
    if (client === undefined) return [];
    const file = join(domainDir(data, caller), client.private_jwk_file);
    const kid = keyIdIn(file);
    if (kid === undefined)
      return [
        wrong(
          `${file} is not a private key`,
          `restore it, or delete it and run bridge up, then copy its public key`,
        ),
      ];
    return callers[caller].flatMap((callee) => {
      const known = configs[callee].clients.find(({ client_id }) => client_id === client.client_id);
      const where = `clients entry ${client.client_id} of ${callee}/config.json`;
      if (known === undefined)
        return [
          wrong(`${callee} does not know the client ${client.client_id}`, `add the ${where}`),
        ];
      return thumbprint(known.public_jwk) === kid
        ? []
        : [
            wrong(
              `the ${where} has another key than ${file}`,
              `put the public half of ${file} there`,
            ),
          ];
    });
  });
  return orOk(problems, 'every client key matches what its callees know');
}

function keyIdIn(file: string): string | undefined {
  try {
    const jwk = readJson(file) as JsonWebKey;
    return typeof jwk.d === 'string' ? thumbprint(jwk) : undefined;
  } catch {
    return undefined;
  }
}
