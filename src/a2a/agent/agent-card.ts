import type { AgentCard, AgentExtension, AgentSkill, SecurityScheme } from '@a2a-js/sdk';
import type { OfferedTool } from '../../dispatcher/catalogue.js';
import { version } from '../../version.js';
import type { A2aConfig } from '../config.js';
import { EXTENSION_URI } from '../extension.js';

const DESCRIPTION = 'Runs tools, some of them only after a person has signed the exact call.';

/** Authorization servers whose tokens this agent takes, and the scopes they can be asked for. */
export interface CardOauth {
  readonly issuers: readonly string[];
  readonly scopes: readonly string[];
}

/**
 * The agent's card. Anyone may read it, so it does not say which tools there are; with a token a caller gets the extended
 * card, which does.
 * @param tools absent for the public card
 */
export function agentCard(
  config: A2aConfig,
  tools?: readonly OfferedTool[],
  oauth: CardOauth = { issuers: [], scopes: [] },
): AgentCard {
  const { agent_id, url, serve } = config;
  const at = (protocolVersion: string): AgentCard['supportedInterfaces'][number] => ({
    url: `${url}/a2a`,
    protocolBinding: 'JSONRPC',
    tenant: '',
    protocolVersion,
  });
  return {
    name: agent_id,
    description: serve?.description ?? DESCRIPTION,
    supportedInterfaces: serve?.legacy === true ? [at('1.0'), at('0.3')] : [at('1.0')],
    provider: undefined,
    version,
    capabilities: {
      streaming: true,
      pushNotifications: (serve?.push_origins ?? []).length > 0,
      extensions: [extension(agent_id, tools)],
      extendedAgentCard: true,
    },
    securitySchemes: {
      bearer: {
        scheme: {
          $case: 'httpAuthSecurityScheme',
          value: { description: 'A token this agent issued', scheme: 'Bearer', bearerFormat: '' },
        },
      },
      ...Object.fromEntries(oauth.issuers.map((issuer, n) => [schemeName(n), schemeOf(issuer)])),
    },
    securityRequirements: [
      { schemes: { bearer: { list: [] } } },
      ...oauth.issuers.map((_issuer, n) => ({
        schemes: { [schemeName(n)]: { list: [...oauth.scopes] } },
      })),
    ],
    defaultInputModes: ['application/json'],
    defaultOutputModes: ['application/json'],
    skills: tools === undefined ? [ANY_TOOL] : tools.map(skillOf),
    signatures: [],
  };
}

/** Any one of the schemes is enough. */
function schemeName(n: number): string {
  return `oauth-${n + 1}`;
}

/** By its metadata, not by flows: which grants a client may use is between it and the issuer. */
function schemeOf(issuer: string): SecurityScheme {
  const openIdConnectUrl = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;
  const description = `An access token (RFC 9068) of ${issuer} for this agent's resource (RFC 8707, RFC 9728)`;
  return {
    scheme: { $case: 'openIdConnectSecurityScheme', value: { description, openIdConnectUrl } },
  };
}

/** All that the public card says of the tools. A card has at least one skill. */
const ANY_TOOL: AgentSkill = {
  id: 'run-tool',
  name: 'Run a tool',
  description:
    'Takes a call as a data part of the consent extension; the extended card lists the tools.',
  tags: ['needs-approval'],
  examples: [],
  inputModes: [],
  outputModes: [],
  securityRequirements: [],
};

/** The extension's entry: whose approvals these will be, and (extended card) the tools with the schemas of their arguments. */
function extension(agent: string, tools: readonly OfferedTool[] | undefined): AgentExtension {
  return {
    uri: EXTENSION_URI,
    description: 'Tasks wait for a person to sign; the status message says what and where',
    required: false,
    params: {
      agent,
      ...(tools === undefined
        ? {}
        : {
            tools: tools.map(({ definition, policy }) => ({
              ...definition,
              gated: policy.mode === 'gated',
            })),
          }),
    },
  };
}

function skillOf({ definition, policy }: OfferedTool): AgentSkill {
  const { name, title, description } = definition;
  return {
    id: name,
    name: title ?? name,
    description: description ?? name,
    tags: [policy.mode === 'gated' ? 'needs-approval' : 'open'],
    examples: [],
    inputModes: [],
    outputModes: [],
    securityRequirements: [],
  };
}
