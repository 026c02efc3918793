/** Composition root of the OAuth side: what the bridge uses when its configuration has an `oauth` member. */
import { AccessTokens } from './access-token.js';
import type { IssuerConfig, OauthConfig } from './config.js';
import { IssuerHttp } from './issuer-http.js';
import { IssuerKeys } from './issuer-keys.js';
import { discover, endpoint } from './issuer-metadata.js';
import { ProtectedResource } from './protected-resource.js';

export interface Oauth {
  readonly tokens: AccessTokens;
  readonly resource: ProtectedResource;
  close(): Promise<void>;
}

/** @param toolScopes those of the tool policy. Fetches nothing yet: an issuer that is away keeps nobody from starting. */
export function openOauth(
  config: OauthConfig,
  toolScopes: readonly string[],
  clock: () => number,
): Oauth {
  const http = new IssuerHttp();
  const issuers = config.issuers.map((issuer) => ({
    config: issuer,
    keys: new IssuerKeys(jwksOf(issuer, http), clock),
  }));
  return {
    tokens: new AccessTokens(config.resource, issuers, clock),
    resource: new ProtectedResource(config, toolScopes),
    close: () => http.close(),
  };
}

/** The metadata is asked anew whenever its keys could not be had, so an issuer may move them. */
function jwksOf({ issuer, jwks_uri }: IssuerConfig, http: IssuerHttp): () => Promise<unknown> {
  let found = jwks_uri;
  return async () => {
    found ??= endpoint(await discover(issuer, http), 'jwks_uri');
    try {
      const document = await http.get(found);
      if (document === undefined) throw new Error(`there is nothing at ${found}`);
      return document;
    } catch (error) {
      found = jwks_uri;
      throw error;
    }
  };
}
