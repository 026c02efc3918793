/** The authorization server of authorization-server.mjs, as a test holds it. */
import { type ChildProcess, fork } from 'node:child_process';
import type { JsonWebKey } from 'node:crypto';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('authorization-server.mjs', import.meta.url));
const SCOPES = ['tasks.read', 'tasks.write'];

/** A registered client, in the members of RFC 7591. */
export type RegisteredClient = Readonly<Record<string, unknown>> & { readonly client_id: string };

export class AuthorizationServer {
  private asked = 0;

  private constructor(
    private readonly child: ChildProcess,
    readonly issuer: string,
    /** Its private signing key: for what only an issuer could sign, and never would. */
    public key: JsonWebKey,
  ) {}

  static async start(
    clients: readonly RegisteredClient[],
    { accessTokenSeconds = 300, scopes = SCOPES } = {},
  ): Promise<AuthorizationServer> {
    const child = fork(PROGRAM, {
      env: { ...process.env, AS_SETUP: JSON.stringify({ clients, scopes, accessTokenSeconds }) },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      execArgv: [],
    });
    const { issuer, key } = await new Promise<{ issuer: string; key: JsonWebKey }>(
      (resolve, reject) => {
        child.once('message', (message) =>
          resolve((message as { ready: { issuer: string; key: JsonWebKey } }).ready),
        );
        child.once('exit', (code) =>
          reject(new Error(`authorization server: exit ${code ?? '?'}`)),
        );
      },
    );
    return new AuthorizationServer(child, issuer, key);
  }

  /** Another signing key; the old one is published no more. */
  async rotate(): Promise<void> {
    this.key = ((await this.ask('rotate')) as { key: JsonWebKey }).key;
  }

  /** More clients. What was granted before is forgotten. */
  async register(clients: readonly RegisteredClient[]): Promise<void> {
    await this.ask('register', clients);
  }

  /** `METHOD /path` of everything it was asked. */
  async requests(): Promise<readonly string[]> {
    return (await this.ask('requests')) as string[];
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await gone;
  }

  private ask(ask: string, more?: unknown): Promise<unknown> {
    const id = (this.asked += 1);
    return new Promise((resolve) => {
      const listen = (message: unknown): void => {
        const { id: of, answer } = message as { id: number; answer: unknown };
        if (of !== id) return;
        this.child.off('message', listen);
        resolve(answer);
      };
      this.child.on('message', listen);
      this.child.send({ id, ask, more });
    });
  }
}

export const MACHINE = { id: 'machine', secret: 'a-secret-of-the-machine-client' };
export const APP = { id: 'app', redirectUri: 'http://127.0.0.1:9/callback' };

/** A client that acts for itself, and one that acts for whoever signs in (public, PKCE). */
export const CLIENTS: readonly RegisteredClient[] = [
  {
    client_id: MACHINE.id,
    client_secret: MACHINE.secret,
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
    scope: SCOPES.join(' '),
    id_token_signed_response_alg: 'ES256',
  },
  {
    client_id: APP.id,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code'],
    redirect_uris: [APP.redirectUri],
    scope: ['openid', ...SCOPES].join(' '),
    id_token_signed_response_alg: 'ES256',
    application_type: 'native',
  },
];

export const PAGE_SECRET = 'a-secret-of-the-consent-page';

/** The consent page as a client, at its origin. */
export function pageClient(origin: string): RegisteredClient {
  return {
    client_id: 'page',
    client_secret: PAGE_SECRET,
    redirect_uris: [`${origin}/sign-in/oidc/callback`],
    scope: 'openid email',
    id_token_signed_response_alg: 'ES256',
  };
}

/** What the consent page's own configuration says of it. Write {@link PAGE_SECRET} beside it. */
export function pageOidc(issuer: string): object {
  return {
    ...{ issuer, client_id: 'page', client_secret_file: 'oidc.secret' },
    ...{ scopes: ['openid', 'email'], approver_claim: 'email' },
  };
}

/** A token of the client_credentials grant for {@link MACHINE}. */
export async function machineToken(
  issuer: string,
  resource: string,
  scope = SCOPES.join(' '),
): Promise<string> {
  const basic = Buffer.from(`${MACHINE.id}:${MACHINE.secret}`).toString('base64');
  const { access_token } = await tokenAnswer(
    issuer,
    { grant_type: 'client_credentials', resource, scope },
    { authorization: `Basic ${basic}` },
  );
  return access_token;
}

export interface TokenAnswer {
  readonly access_token: string;
  readonly id_token?: string;
}

/** What the token endpoint gives. @throws with its error */
export async function tokenAnswer(
  issuer: string,
  form: Record<string, string>,
  headers: Record<string, string> = {},
): Promise<TokenAnswer> {
  const body = new URLSearchParams(form);
  const answer = await fetch(`${issuer}/token`, { method: 'POST', headers, body });
  const said = (await answer.json()) as TokenAnswer;
  if (!answer.ok) throw new Error(JSON.stringify(said));
  return said;
}

/** A browser at the authorization server: follows it to where it sends the person back. */
export async function authorizedAt(start: string, redirectUri: string): Promise<URL> {
  const jar = new Map<string, string>();
  let at = new URL(start);
  for (let hops = 0; hops < 12; hops += 1) {
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(at, { redirect: 'manual', headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === '') jar.delete(name);
      else jar.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`${at.pathname}: ${await answer.text()}`);
    at = new URL(location, at);
    if (at.href.startsWith(redirectUri)) return at;
  }
  throw new Error('the authorization server leads nowhere');
}
