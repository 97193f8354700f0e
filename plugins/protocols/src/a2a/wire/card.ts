import type { OfferedTopology } from '@kit-run/kit/command';
import type { JsonObject } from '@kit-run/kit/plugin';
import type { A2aVersion } from '../rpc/protocol.js';

/** What a card is made of. */
export interface CardParts {
  /** `server.a2a.identity`, and the name of the workspace where it names none. */
  readonly identity: {
    readonly name: string;
    readonly description: string | null;
    readonly organization: string | null;
  };
  /** Where the server is reached, without a slash at its end. */
  readonly root: string;
  /** Of the auth provider; `none` needs no credential. */
  readonly authMode: string;
  /** Of kit. */
  readonly runtime: string;
  readonly topologies: readonly OfferedTopology[];
  /** The card is that of this topology alone; null: of all. */
  readonly only: string | null;
}

/** What one kit knows of another beyond A2A: ours, and the name under which older callers look. */
const FEDERATION = ['urn:kit:a2a:federation:v1', 'urn:swarmkit:a2a:federation:v1'] as const;

const MODES: readonly string[] = ['text/plain', 'application/json'];

const federation = (runtime: string): readonly JsonObject[] =>
  FEDERATION.map((uri) => ({
    uri,
    description: 'Budgets are honoured, usage is returned, and a message that is sent again is the same task.',
    required: false,
    params: {
      runtime: `kit ${runtime}`,
      returns_usage: true,
      returns_observability: true,
      honors_budget: true,
      deduplicates: true,
    },
  }));

const skillOf = ({ name, description }: OfferedTopology): JsonObject => ({
  id: name,
  name,
  description: description ?? `Runs the topology ${name}.`,
  tags: ['topology'],
  inputModes: [...MODES],
  outputModes: [...MODES],
});

function nameOf({ identity, only }: CardParts): string {
  return only === null ? identity.name : `${only} - ${identity.name}`;
}

function common(parts: CardParts): JsonObject {
  const { identity, root, runtime, topologies, only } = parts;
  return {
    name: nameOf(parts),
    description: identity.description ?? `Agent topologies that ${identity.name} runs.`,
    ...(identity.organization === null ? {} : { provider: { organization: identity.organization, url: root } }),
    version: runtime,
    defaultInputModes: [...MODES],
    defaultOutputModes: [...MODES],
    skills: topologies.filter(({ name }) => only === null || name === only).map(skillOf),
  };
}

/** The card in the words of one version; both say that this endpoint speaks the other one too. */
export function cardOf(version: A2aVersion, parts: CardParts): JsonObject {
  const { root, authMode, runtime, only } = parts;
  const url = only === null ? `${root}/a2a` : `${root}/a2a/${encodeURIComponent(only)}`;
  const extensions = [...federation(runtime)];
  const supportedInterfaces = ['1.0', '0.3'].map((protocolVersion) => ({
    url,
    protocolBinding: 'JSONRPC',
    protocolVersion,
  }));
  const isOpen = authMode === 'none';
  const described = 'A token of this server, sent as Authorization: Bearer.';
  switch (version) {
    case '0.3':
      return {
        ...common(parts),
        protocolVersion: '0.3.0',
        url,
        preferredTransport: 'JSONRPC',
        additionalInterfaces: [{ url, transport: 'JSONRPC' }],
        supportedInterfaces,
        capabilities: { streaming: true, pushNotifications: false, stateTransitionHistory: false, extensions },
        supportsAuthenticatedExtendedCard: false,
        ...(isOpen
          ? {}
          : {
              securitySchemes: { [authMode]: { type: 'http', scheme: 'bearer', description: described } },
              security: [{ [authMode]: [] }],
            }),
      };
    case '1.0':
      return {
        ...common(parts),
        supportedInterfaces,
        capabilities: { streaming: true, pushNotifications: false, extendedAgentCard: false, extensions },
        ...(isOpen
          ? {}
          : {
              securitySchemes: {
                [authMode]: { httpAuthSecurityScheme: { scheme: 'bearer', description: described } },
              },
              securityRequirements: [{ schemes: { [authMode]: { list: [] } } }],
            }),
      };
  }
}
