/** A real authorization server (oidc-provider) as a process of its own; its parent speaks to it over IPC. */
import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';
import { exportJWK, generateKeyPair } from 'jose';

const setup = JSON.parse(process.env.AS_SETUP);
const { scopes, accessTokenSeconds } = setup;
let { clients } = setup;
const requests = [];
let keys = [];
let provider;
let handle = (_request, response) => response.writeHead(503).end();

const server = createServer((request, response) => {
  const path = new URL(request.url, 'http://unused').pathname;
  requests.push(`${request.method} ${path}`);
  const uid = /^\/interaction\/([\w-]+)$/.exec(path)?.[1];
  if (uid === undefined) handle(request, response);
  else consent(request, response).catch((error) => response.writeHead(500).end(String(error)));
});

/** Whoever comes is signed in as the `login_hint`, and grants all that is asked. */
async function consent(request, response) {
  const { params } = await provider.interactionDetails(request, response);
  const accountId = params.login_hint ?? 'alice@example.com';
  const grant = new provider.Grant({ accountId, clientId: params.client_id });
  grant.addOIDCScope(params.scope ?? '');
  for (const resource of [params.resource ?? []].flat())
    grant.addResourceScope(resource, params.scope ?? '');
  const grantId = await grant.save();
  const result = { login: { accountId }, consent: { grantId } };
  await provider.interactionFinished(request, response, result, {
    mergeWithLastSubmission: false,
  });
}

async function newKey() {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  const kid = `key-${Math.random().toString(36).slice(2)}`;
  return { ...(await exportJWK(privateKey)), kid, alg: 'ES256', use: 'sig' };
}

function open(issuer) {
  provider = new Provider(issuer, {
    clients,
    jwks: { keys },
    scopes: ['openid', 'offline_access', 'email', ...scopes],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    conformIdTokenClaims: false,
    findAccount: (_ctx, id) => ({
      accountId: id,
      claims: () => ({
        sub: id,
        email: id.replace(/^unverified-/, ''),
        email_verified: !id.startsWith('unverified-'),
      }),
    }),
    interactions: { url: (_ctx, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['test'] },
    clientAuthMethods: ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: () => true,
        defaultResource: () => undefined,
        getResourceServerInfo: (_ctx, indicator) => ({
          scope: scopes.join(' '),
          audience: indicator,
          accessTokenTTL: accessTokenSeconds,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'ES256' } },
        }),
      },
    },
  });
  provider.on('server_error', (_ctx, error) => process.stderr.write(`${error.stack}\n`));
  const callback = provider.callback();
  handle = callback;
}

server.listen(0, '127.0.0.1', async () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  keys = [await newKey()];
  open(issuer);
  process.on('message', async ({ id, ask, more }) => {
    if (ask === 'rotate') keys = [await newKey()];
    if (ask === 'register') clients = [...clients, ...more];
    if (ask !== 'requests') open(issuer);
    process.send({ id, answer: ask === 'requests' ? requests : { key: keys[0] } });
  });
  process.send({ ready: { issuer, key: keys[0] } });
});
process.on('disconnect', () => process.exit(0));
