import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JWK } from 'jose';
import { Refusal } from '../../contract/errors.js';
import { ClientCredentials } from '../../oauth/client-credentials.js';
import type { IssuerHttp } from '../../oauth/issuer-http.js';
import type { HopOauthConfig, RemoteAgentConfig } from '../config.js';
import type { HopToken } from './guarded-fetch.js';

/** By what one remote agent may be called, and for whom. No token that came to this bridge is among it. */
export interface HopTokens {
  /** For whom the agent may be called. */
  readonly subjects: readonly string[];
  /** @throws Refusal `Forbidden` (layer `bridge`): for somebody who is not listed, nobody else's token is used */
  of(subject: string): HopToken;
}

export interface HopTokensPorts {
  readonly dataDir: string;
  readonly http: IssuerHttp;
  readonly clock: () => number;
}

export function hopTokens(
  { name, tokens, oauth }: Pick<RemoteAgentConfig, 'name' | 'tokens' | 'oauth'>,
  ports: HopTokensPorts,
): HopTokens {
  if (oauth !== undefined) return accessTokens(name, oauth, ports);
  const files = tokens ?? {};
  return {
    subjects: Object.keys(files),
    of: (subject) => {
      const file = Object.hasOwn(files, subject) ? files[subject] : undefined;
      if (file === undefined) throw new Refusal('Forbidden', 'bridge', { detail: name });
      const token = readFileSync(join(ports.dataDir, file), 'utf8').trim();
      return { token: () => Promise.resolve(token), renewed: () => Promise.resolve(undefined) };
    },
  };
}

/** The same token for everybody listed: it says who this bridge is. For whom it acts, its statement about the call says. */
function accessTokens(
  name: string,
  { issuer, client_id, private_jwk_file, resource, scopes, subjects }: HopOauthConfig,
  { dataDir, http, clock }: HopTokensPorts,
): HopTokens {
  const privateJwk = JSON.parse(readFileSync(join(dataDir, private_jwk_file), 'utf8')) as JWK;
  const own = { issuer, clientId: client_id, privateJwk, resource, scopes };
  const credentials = new ClientCredentials({ ...own, http, clock });
  return {
    subjects,
    of: (subject) => {
      if (!subjects.includes(subject)) throw new Refusal('Forbidden', 'bridge', { detail: name });
      return credentials;
    },
  };
}
