/** What an OAuth 2.0 protected resource says of itself (RFC 9728) and to whom it turns away (RFC 6750 section 3). */
import { type OauthConfig, scopeToken } from './config.js';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

export interface ResourceMetadata {
  readonly resource: string;
  readonly authorization_servers: readonly string[];
  readonly scopes_supported: readonly string[];
  readonly bearer_methods_supported: readonly ['header'];
}

export class ProtectedResource {
  readonly metadata: ResourceMetadata;
  /** Paths of the metadata: that of RFC 9728 section 3.1 for this resource, and those clients try by themselves. */
  readonly metadataPaths: readonly string[];
  private readonly metadataUrl: string;
  private readonly initialScopes: readonly string[];

  /** @param toolScopes those of the tool policy */
  constructor(config: OauthConfig, toolScopes: readonly string[]) {
    const { resource, issuers } = config;
    const scopes = config.scopes_supported ?? [...new Set(toolScopes)].sort();
    this.metadata = {
      resource,
      authorization_servers: issuers.map(({ issuer }) => issuer),
      scopes_supported: scopes,
      bearer_methods_supported: ['header'],
    };
    this.initialScopes = config.initial_scopes ?? scopes;
    const { origin, pathname } = new URL(resource);
    const own = `${WELL_KNOWN}${pathname === '/' ? '' : pathname}`;
    this.metadataUrl = `${origin}${own}`;
    this.metadataPaths = [...new Set([own, `${WELL_KNOWN}/mcp`, WELL_KNOWN])];
  }

  /** `WWW-Authenticate` of a 401. The error is named only to who presented a token (RFC 6750 section 3.1). */
  unauthenticated(presented: boolean): string {
    return challenge({
      ...(presented ? { error: 'invalid_token' } : {}),
      ...scopeMember(this.initialScopes),
      resource_metadata: this.metadataUrl,
    });
  }

  /**
   * `WWW-Authenticate` of a 403 for a token that lacks scopes (MCP 2025-11-25 authorization, "Runtime Insufficient Scope
   * Errors"). It asks for what the token has as well, since some clients replace what they had by what they are told.
   */
  insufficientScope(granted: readonly string[], missing: readonly string[]): string {
    const kept = granted.filter((scope) => this.metadata.scopes_supported.includes(scope));
    return challenge({
      error: 'insufficient_scope',
      ...scopeMember([...kept, ...missing]),
      resource_metadata: this.metadataUrl,
      error_description: 'This tool needs more scopes',
    });
  }
}

/** What is no scope token cannot be asked for, nor stand in a header. */
function scopeMember(scopes: readonly string[]): Readonly<Record<string, string>> {
  const tokens = [...new Set(scopes)].filter((scope) => scopeToken.safeParse(scope).success);
  return tokens.length === 0 ? {} : { scope: tokens.join(' ') };
}

/** No value holds a quote or a backslash: they are ours, scope tokens, or an address as `URL` spells it. */
function challenge(members: Readonly<Record<string, string>>): string {
  const listed = Object.entries(members).map(([name, value]) => `${name}="${value}"`);
  return `Bearer ${listed.join(', ')}`;
}
