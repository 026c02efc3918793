import * as z from 'zod';
import type { IssuerHttp } from './issuer-http.js';
import { secureUrl } from './secure-url.js';

const metadata = z.looseObject({
  issuer: z.string(),
  jwks_uri: z.string().optional(),
  token_endpoint: z.string().optional(),
});
export type IssuerMetadata = z.infer<typeof metadata>;

/**
 * What an issuer says of itself: RFC 8414 section 3 (the well-known name goes before the issuer's path), then OpenID
 * Connect Discovery section 4 (it goes behind). Its addresses are not yet checked: see {@link endpoint}.
 * @throws Error when there is no metadata, or when it names another issuer (RFC 8414 section 3.3: else whoever can write
 *   one document at that host speaks for the issuer)
 */
export async function discover(
  issuer: string,
  http: Pick<IssuerHttp, 'get'>,
): Promise<IssuerMetadata> {
  for (const url of metadataUrls(issuer)) {
    const document = await http.get(url);
    if (document === undefined) continue;
    const said = metadata.parse(document);
    if (said.issuer !== issuer) throw new Error(`${url} is the metadata of another issuer`);
    return said;
  }
  throw new Error(`${issuer} publishes no metadata`);
}

/** One address of the metadata. @throws Error when it is absent, or leads away from TLS */
export function endpoint(said: IssuerMetadata, name: 'jwks_uri' | 'token_endpoint'): string {
  const url = said[name];
  const leavesTls = said.issuer.startsWith('https:') && url?.startsWith('https:') !== true;
  if (url === undefined || leavesTls || !secureUrl(url))
    throw new Error(`${said.issuer}: ${name} must be https`);
  return url;
}

/** The addresses in the order they are asked for. */
export function metadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/$/, '');
  return [
    `${origin}/.well-known/oauth-authorization-server${path}`,
    `${origin}${path}/.well-known/openid-configuration`,
  ];
}
