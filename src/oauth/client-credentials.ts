/** Access tokens this bridge gets for itself, to call one other resource (RFC 6749 section 4.4). */
import { type JWK, importJWK } from 'jose';
import {
  Configuration,
  PrivateKeyJwt,
  type ServerMetadata,
  allowInsecureRequests,
  clientCredentialsGrant,
  customFetch,
} from 'openid-client';
import { fetch as undiciFetch } from 'undici';
import { Refusal } from '../contract/errors.js';
import type { IssuerHttp } from './issuer-http.js';
import { discover, endpoint } from './issuer-metadata.js';

export interface ClientCredentialsOptions {
  readonly issuer: string;
  readonly clientId: string;
  /** Private key of the client, with the `alg` it signs its assertions with; ES256 when it names none. */
  readonly privateJwk: JWK;
  /** RFC 8707: the one audience the token is for. */
  readonly resource: string;
  readonly scopes: readonly string[];
  readonly http: IssuerHttp;
  readonly clock: () => number;
}

interface Held {
  readonly token: string;
  /** Milliseconds from which a new one is fetched. */
  readonly renewAt: number;
}

/** Seconds before its end from which a token is not used any more: the next hop still has to read it. */
const RENEW_BEFORE_S = 20;
/** What a token without `expires_in` is good for, seconds. */
const DEFAULT_LIFETIME_S = 60;

/**
 * Tokens of the client_credentials grant for one resource, authenticated by `private_key_jwt` (RFC 7523 section 2.2). One
 * is kept until shortly before it expires; all who need one at once share one request.
 */
export class ClientCredentials {
  private held: Held | undefined;
  private fetching: Promise<Held> | undefined;
  private configuration: Promise<Configuration> | undefined;

  constructor(private readonly options: ClientCredentialsOptions) {}

  /** @throws Refusal `Unavailable` (layer `bridge`) when the authorization server gives none */
  async token(): Promise<string> {
    const now = this.options.clock();
    const { held } = this;
    // Long before its time the clock was set back: then nobody knows how old it is.
    if (held !== undefined && now < held.renewAt) return held.token;
    return (await this.fetch()).token;
  }

  /** Another token in place of one that was not taken. A request that comes late finds the new one already here. */
  async renewed(stale: string): Promise<string> {
    if (this.held?.token === stale) this.held = undefined;
    return this.token();
  }

  private fetch(): Promise<Held> {
    this.fetching ??= this.request().finally(() => (this.fetching = undefined));
    return this.fetching;
  }

  private async request(): Promise<Held> {
    const { resource, scopes, issuer, clock } = this.options;
    try {
      this.configuration ??= this.configure();
      const answer = await clientCredentialsGrant(await this.configuration, {
        resource,
        ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
      });
      if (answer.token_type !== 'bearer') throw new Error(`a token of type ${answer.token_type}`);
      const lifetime = answer.expires_in ?? DEFAULT_LIFETIME_S;
      const usable = Math.max(lifetime - RENEW_BEFORE_S, lifetime / 2);
      this.held = { token: answer.access_token, renewAt: clock() + usable * 1000 };
      return this.held;
    } catch (error) {
      // Perhaps its endpoints moved: they are asked for anew.
      this.configuration = undefined;
      const detail = `${issuer}: ${error instanceof Error ? error.message : 'no token'}`;
      throw new Refusal('Unavailable', 'bridge', { detail });
    }
  }

  private async configure(): Promise<Configuration> {
    const { issuer, clientId, privateJwk, http } = this.options;
    const said = await discover(issuer, http);
    const server = { issuer, token_endpoint: endpoint(said, 'token_endpoint') } as ServerMetadata;
    const { kid, alg = 'ES256' } = privateJwk;
    const key = await importJWK(privateJwk, alg);
    if (key instanceof Uint8Array) throw new Error('the client key must be asymmetric');
    const clientKey = kid === undefined ? key : { key, kid };
    const configuration = new Configuration(server, clientId, undefined, PrivateKeyJwt(clientKey));
    // `endpoint` allows http on loopback alone.
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so that nobody calls it without a thought
    if (server.token_endpoint?.startsWith('http:') === true) allowInsecureRequests(configuration);
    configuration[customFetch] = async (url, { method, headers, body }) => {
      // The one kind of body the library sends to a token endpoint.
      if (!(body instanceof URLSearchParams)) throw new Error('not a form');
      const answer = await undiciFetch(url, {
        ...{ method, headers, redirect: 'manual', dispatcher: http.agent },
        body: body.toString(),
      });
      return new Response(await answer.text(), {
        status: answer.status,
        headers: Object.fromEntries(answer.headers),
      });
    };
    return configuration;
  }
}
