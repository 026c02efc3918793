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
        child.once('exit', (code) => reject(new Error(`authorization server: exit ${code ?? '?'}`)));
      },
    );
    return new AuthorizationServer(child, issuer, key);
  }

  /** Another signing key; the old one is published no more. */
  async rotate(): Promise<void> {
    this.key = ((await this.ask('rotate')) as { key: JsonWebKey }).key;
  }

  /** `METHOD /path` of everything it was asked. */
  async requests(): Promise<readonly string[]> {
    return (await this.ask('requests')) as string[];
  }

  /** A token of the client_credentials grant; the client authenticates by its secret. */
  async token(clientId: string, secret: string, resource: string, scope: string): Promise<string> {
    const answer = await fetch(`${this.issuer}/token`, {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
      },
      body: new URLSearchParams({ grant_type: 'client_credentials', resource, scope }),
    });
    const body = (await answer.json()) as { access_token?: string };
    if (body.access_token === undefined) throw new Error(JSON.stringify(body));
    return body.access_token;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return;
    const gone = new Promise((resolve) => this.child.once('exit', resolve));
    this.child.kill('SIGKILL');
    await gone;
  }

  private ask(ask: string): Promise<unknown> {
    const id = (this.asked += 1);
    return new Promise((resolve) => {
      const listen = (message: unknown): void => {
        const { id: of, answer } = message as { id: number; answer: unknown };
        if (of !== id) return;
        this.child.off('message', listen);
        resolve(answer);
      };
      this.child.on('message', listen);
      this.child.send({ id, ask });
    });
  }
}
