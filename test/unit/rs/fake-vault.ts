/** A vault in the attacker's hands: publishes keys, lists approver keys, and mints whatever it is told to. */
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:http';
import type { ApproverKey } from '../../../src/contract/wire.js';
import type { KeyPair } from './keys.js';
import { jws, keyPair } from './keys.js';

export class FakeVault {
  readonly key = keyPair('ES256');
  /** What the JWKS document lists. */
  published: KeyPair[] = [this.key];
  /** What the approver directory lists. */
  enrolled: ApproverKey[] = [];
  /** Requests seen: method and path. */
  readonly seen: string[] = [];
  readonly authorizations: (string | undefined)[] = [];
  /** Answered instead of the documents while true. */
  broken = false;
  /** Answered instead of the JWKS document if set. */
  document: string | undefined;
  url = '';

  readonly #server = createServer((request, response) => {
    this.seen.push(`${request.method ?? ''} ${request.url ?? ''}`);
    this.authorizations.push(request.headers.authorization);
    if (this.broken) {
      response.writeHead(503).end();
      return;
    }
    const keys = request.url?.startsWith('/v1/approvers/')
      ? this.enrolled
      : this.published.map((k) => ({ ...k.jwk, kid: k.keyId, use: 'sig' }));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(this.document ?? JSON.stringify({ keys }));
  });

  async listen(port = 0): Promise<this> {
    await new Promise<void>((resolve) => this.#server.listen(port, '127.0.0.1', resolve));
    this.url = `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
    return this;
  }

  close(): Promise<void> {
    this.#server.closeAllConnections();
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  get jwksRequests(): number {
    return this.seen.filter((path) => path.endsWith('jwks.json')).length;
  }

  mint(claims: object, header: object = {}, key: KeyPair = this.key): string {
    return jws(key, { alg: key.alg, typ: 'at+jwt', kid: key.keyId, ...header }, claims);
  }
}
