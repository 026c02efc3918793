import type { AgentCard } from '@a2a-js/sdk';

/**
 * The card in the shape of A2A 0.3, for who asks without a version or for that one. Unsigned: 0.3 peers do not share the
 * canonical form the signature is made over.
 */
export function legacyCard(card: AgentCard): object {
  const { name, description, version, capabilities, defaultInputModes, defaultOutputModes } = card;
  const at = card.supportedInterfaces.find(({ protocolVersion }) => protocolVersion === '0.3');
  return {
    protocolVersion: '0.3.0',
    name,
    description,
    version,
    url: at?.url,
    preferredTransport: at?.protocolBinding,
    capabilities: {
      streaming: capabilities?.streaming,
      pushNotifications: capabilities?.pushNotifications,
      extensions: capabilities?.extensions,
    },
    supportsAuthenticatedExtendedCard: true,
    securitySchemes: {
      bearer: { type: 'http', scheme: 'Bearer' },
      ...Object.fromEntries(
        Object.entries(card.securitySchemes).flatMap(([name, { scheme }]) =>
          scheme?.$case === 'openIdConnectSecurityScheme'
            ? [[name, { type: 'openIdConnect', openIdConnectUrl: scheme.value.openIdConnectUrl }]]
            : [],
        ),
      ),
    },
    security: card.securityRequirements.map(({ schemes }) =>
      Object.fromEntries(Object.entries(schemes).map(([name, { list }]) => [name, list])),
    ),
    defaultInputModes,
    defaultOutputModes,
    skills: card.skills,
  };
}
