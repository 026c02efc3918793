/** Sign-in at the configured OpenID Provider: authorization code with PKCE, state and nonce, by the library openid-client. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type JWK, importJWK } from 'jose';
import {
  type ClientAuth,
  ClientSecretBasic,
  type Configuration,
  PrivateKeyJwt,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import { Agent, fetch as undiciFetch } from 'undici';
import { Refusal } from '../../src/contract/errors.js';
import type { OidcConfig } from './config.js';

const LAYER = 'consent-ui';
const TIMEOUT_MS = 5000;
const MAX_BYTES = 262_144;

/** What a sign-in that has begun must come back with. Kept here; the provider sees only what its URL says. */
export interface SignInChecks {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export class OidcClient {
  private readonly agent = new Agent({
    connections: 4,
    connect: { timeout: TIMEOUT_MS },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
    maxResponseSize: MAX_BYTES,
  });
  private readonly redirectUri: string;
  private found: Promise<Configuration> | undefined;

  /** @param origin of this page, which is where the provider sends people back to */
  constructor(
    private readonly dataDir: string,
    private readonly config: OidcConfig,
    origin: string,
  ) {
    this.redirectUri = `${origin}/sign-in/oidc/callback`;
  }

  /** Name of the provider, for the button: the host of its issuer. */
  get provider(): string {
    return new URL(this.config.issuer).host;
  }

  /** Where the browser goes to sign in. @throws Refusal `Unavailable` when the provider cannot be reached */
  async begin(): Promise<{ readonly url: string; readonly checks: SignInChecks }> {
    const configuration = await this.configuration();
    const checks = {
      state: randomState(),
      nonce: randomNonce(),
      codeVerifier: randomPKCECodeVerifier(),
    };
    const url = buildAuthorizationUrl(configuration, {
      redirect_uri: this.redirectUri,
      scope: this.config.scopes.join(' '),
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await calculatePKCECodeChallenge(checks.codeVerifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, checks };
  }

  /**
   * The approver id the provider vouches for.
   * @param query of the address the provider sent the browser to: with `state` (RFC 6749 section 10.12), `iss` where the
   *   provider names itself (RFC 9207), and the code, which only the holder of the PKCE verifier can use (RFC 7636)
   * @throws Refusal `CeremonyFailed` when anything of it is not as expected, `Unavailable`
   */
  async finish(query: string, { state, nonce, codeVerifier }: SignInChecks): Promise<string> {
    const configuration = await this.configuration();
    try {
      const tokens = await authorizationCodeGrant(
        configuration,
        new URL(`${this.redirectUri}?${query}`),
        {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: codeVerifier,
          idTokenExpected: true,
        },
      );
      return this.approverOf({ ...tokens.claims() });
    } catch (error) {
      if (error instanceof Refusal) throw error;
      const detail = error instanceof Error && 'code' in error ? String(error.code) : 'oidc';
      throw new Refusal('CeremonyFailed', LAYER, { detail });
    }
  }

  close(): Promise<void> {
    return this.agent.destroy();
  }

  private approverOf(claims: Readonly<Record<string, unknown>>): string {
    const name = this.config.approver_claim ?? 'sub';
    const value = claims[name];
    if (name === 'email' && claims['email_verified'] !== true)
      throw new Refusal('CeremonyFailed', LAYER, { detail: 'email_verified' });
    if (typeof value !== 'string' || value === '' || value.length > 256)
      throw new Refusal('CeremonyFailed', LAYER, { detail: name });
    return value;
  }

  private async configuration(): Promise<Configuration> {
    this.found ??= this.discover();
    try {
      return await this.found;
    } catch (error) {
      this.found = undefined;
      const detail = `${this.config.issuer}: ${error instanceof Error ? error.message : 'away'}`;
      throw new Refusal('Unavailable', LAYER, { detail });
    }
  }

  private async discover(): Promise<Configuration> {
    const { issuer, client_id } = this.config;
    const onThisMachine = issuer.startsWith('http:');
    return discovery(new URL(issuer), client_id, undefined, await this.authentication(), {
      // Else nobody but the connection says that an ID token is the provider's.
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so that nobody calls it without a thought: the config allows http on loopback alone
      execute: [enableNonRepudiationChecks, ...(onThisMachine ? [allowInsecureRequests] : [])],
      timeout: TIMEOUT_MS / 1000,
      [customFetch]: async (url, { method, headers, body }) => {
        const sent = body instanceof URLSearchParams ? body.toString() : undefined;
        const answer = await undiciFetch(url, {
          ...{ method, headers, redirect: 'manual', dispatcher: this.agent },
          ...(sent === undefined ? {} : { body: sent }),
        });
        return new Response(await answer.text(), {
          status: answer.status,
          headers: Object.fromEntries(answer.headers),
        });
      },
    });
  }

  private async authentication(): Promise<ClientAuth> {
    const { private_jwk_file, client_secret_file = '' } = this.config;
    const text = readFileSync(join(this.dataDir, private_jwk_file ?? client_secret_file), 'utf8');
    if (private_jwk_file === undefined) return ClientSecretBasic(text.trim());
    const jwk = JSON.parse(text) as JWK;
    const key = await importJWK(jwk, jwk.alg ?? 'ES256');
    if (key instanceof Uint8Array) throw new Error('oidc.private_jwk_file must be asymmetric');
    return PrivateKeyJwt(jwk.kid === undefined ? key : { key, kid: jwk.kid });
  }
}
