import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import type {
  OAuthClientInformation,
  OAuthClientMetadata,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';

/** The v1 SDK's idea of an application with a browser; the test is the browser. */
export class CodeFlowProvider implements OAuthClientProvider {
  /** Where the person was last sent. */
  sentTo = '';
  private verifier = '';
  private held: OAuthTokens | undefined;

  constructor(
    private readonly issuer: string,
    private readonly app: { readonly id: string; readonly redirectUri: string },
  ) {}

  get redirectUrl(): string {
    return this.app.redirectUri;
  }

  get clientMetadata(): OAuthClientMetadata {
    return { redirect_uris: [this.app.redirectUri], token_endpoint_auth_method: 'none' };
  }

  clientInformation(): OAuthClientInformation & { issuer: string } {
    return { client_id: this.app.id, issuer: this.issuer };
  }

  tokens(): OAuthTokens | undefined {
    return this.held;
  }

  saveTokens(tokens: OAuthTokens): void {
    this.held = tokens;
  }

  redirectToAuthorization(url: URL): void {
    this.sentTo = url.href;
  }

  saveCodeVerifier(verifier: string): void {
    this.verifier = verifier;
  }

  codeVerifier(): string {
    return this.verifier;
  }
}
