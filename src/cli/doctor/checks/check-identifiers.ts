import { isIP } from 'node:net';
import type { Configs } from '../../data-directory.js';
import type { Finding, Patient } from '../finding.js';
import { orOk, wrong } from '../finding.js';

/** Where two configurations name the same thing, they name it alike: identifiers are compared as strings. */
export function checkIdentifiers({ configs }: Patient): readonly Finding[] {
  const problems = [...equalities(configs), ...memberships(configs), ...addresses(configs)];
  return orOk([...problems, ...relyingParty(configs)], 'the four configurations agree');
}

function equalities({ vault, rs, bridge, 'consent-ui': page }: Configs): Finding[] {
  const pairs: [string, string, string, string][] = [
    ['bridge vault.issuer', bridge.vault.issuer, 'vault issuer', vault.issuer],
    ['rs issuer', rs.issuer, 'vault issuer', vault.issuer],
    ['consent-ui vault.issuer', page.vault.issuer, 'vault issuer', vault.issuer],
    ['bridge rs.resource', bridge.rs.resource, 'rs resource', rs.resource],
    ['bridge consent_ui.origin', bridge.consent_ui.origin, 'consent-ui origin', page.origin],
    ['rs webauthn.rp_id', rs.webauthn.rp_id, 'vault webauthn.rp_id', vault.webauthn.rp_id],
  ];
  return pairs
    .filter(([, left, , right]) => left !== right)
    .map(([a, left, b, right]) =>
      wrong(`${a} is ${left}, but ${b} is ${right}`, `make ${a} say ${right}`),
    );
}

function memberships({ vault, rs, bridge, 'consent-ui': page }: Configs): Finding[] {
  const sets: [string, readonly string[], string, string][] = [
    ['vault audiences', vault.audiences, 'rs resource', rs.resource],
    ['vault webauthn.origins', vault.webauthn.origins, 'consent-ui origin', page.origin],
    ['rs webauthn.origins', rs.webauthn.origins, 'consent-ui origin', page.origin],
    ['vault rar_types', vault.rar_types, 'bridge rar_type', bridge.rar_type],
    ['rs rar_types', rs.rar_types, 'bridge rar_type', bridge.rar_type],
  ];
  return sets
    .filter(([, list, , value]) => !list.includes(value))
    .map(([a, , b, value]) => wrong(`${a} lacks the ${b}, ${value}`, `add ${value} to ${a}`));
}

/** On one machine an address names the port its domain listens on. */
function addresses({ vault, rs, bridge, 'consent-ui': page }: Configs): Finding[] {
  const named: [string, string, string, number][] = [
    ['bridge vault.url', bridge.vault.url, 'vault', vault.listen.port],
    ['bridge rs.url', bridge.rs.url, 'rs', rs.listen.port],
    ['bridge consent_ui.url', bridge.consent_ui.url, 'consent-ui', page.listen.port],
    ['consent-ui vault.url', page.vault.url, 'vault', vault.listen.port],
    ['rs jwks_uri', rs.jwks_uri, 'vault', vault.listen.port],
  ];
  return named
    .filter(([, url, , port]) => isLoopback(url) && new URL(url).port !== String(port))
    .map(([a, url, b, port]) =>
      wrong(`${a} is ${url}, but ${b} listens on port ${port}`, `make ${a} name port ${port}`),
    );
}

function relyingParty({ vault, 'consent-ui': page }: Configs): Finding[] {
  const { hostname } = new URL(page.origin);
  const { rp_id } = vault.webauthn;
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0)
    return [
      wrong(
        `consent-ui origin ${page.origin} is an IP address, which no passkey accepts`,
        `use http://localhost:${page.listen.port}`,
      ),
    ];
  if (hostname !== rp_id && !hostname.endsWith(`.${rp_id}`))
    return [
      wrong(
        `webauthn.rp_id ${rp_id} is not the host of ${page.origin} or a parent of it`,
        `make it ${hostname} in vault and rs`,
      ),
    ];
  return [];
}

function isLoopback(url: string): boolean {
  return ['127.0.0.1', 'localhost', '[::1]'].includes(new URL(url).hostname);
}
