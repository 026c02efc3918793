import type { FastifyInstance } from 'fastify';
import { TOKEN_EXCHANGE_GRANT } from '../../src/contract/wire.js';
import type { VaultConfig } from '../config.js';
import type { MintKeys } from '../store/mint-keys.js';

const JWKS_PATH = '/.well-known/jwks.json';

/** Authorization server metadata (RFC 8414) and the public mint keys (RFC 7517). Open to anyone. */
export function serveMetadata(app: FastifyInstance, config: VaultConfig, keys: MintKeys): void {
  const { issuer, rar_types } = config;
  app.get('/.well-known/oauth-authorization-server', (_request, reply) =>
    reply.header('cache-control', 'max-age=60').send({
      issuer,
      token_endpoint: `${issuer}/token`,
      jwks_uri: issuer + JWKS_PATH,
      grant_types_supported: [TOKEN_EXCHANGE_GRANT],
      response_types_supported: [],
      token_endpoint_auth_methods_supported: ['private_key_jwt'],
      token_endpoint_auth_signing_alg_values_supported: ['ES256'],
      authorization_details_types_supported: rar_types,
    }),
  );
  app.get(JWKS_PATH, (_request, reply) =>
    reply.header('cache-control', 'max-age=60').send({
      keys: keys
        .published()
        .map(({ jwk, keyId, alg }) => ({ ...jwk, kid: keyId, alg, use: 'sig' })),
    }),
  );
}
