import { isKitError } from '../../domain/errors.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { AgentTransport } from '../../domain/ports/agent-transport.js';
import type { OutboundFetch } from '../../domain/ports/outbound.js';
import type { Workspace } from '../../domain/workspace.js';
import type { AgentProbe, RemoteAgentEntry } from '../../view/schemas/connection.js';

/** A card is read within this time, whatever its server does. */
const PROBE_MS = 20_000;

/** Refusals that say of the other side what it is not. */
const SAYS_NO: readonly string[] = ['KIT_AGENT_INVALID', 'KIT_AGENT_REFUSED', 'KIT_OUTBOUND_FAILED'];

/** See `ConnectionsApp.probeAgent`. */
export async function probeAgent(
  cardUrl: string,
  of: { readonly transport: Pick<AgentTransport, 'card'>; readonly fetch: OutboundFetch },
): Promise<AgentProbe> {
  const { transport, fetch } = of;
  try {
    const world = { fetch, bearer: async () => null, signal: AbortSignal.timeout(PROBE_MS) };
    const { name, description, url, streaming, requiresBearer, skills } = await transport.card(cardUrl, world);
    const isElsewhere = URL.parse(url)?.origin !== URL.parse(cardUrl)?.origin;
    if (isElsewhere) return { isSupported: false, detail: 'the card sends messages to another origin than its own' };
    return { isSupported: true, name, description, url, streaming, requiresBearer, skills };
  } catch (error) {
    if (isKitError(error) && SAYS_NO.includes(error.code)) return { isSupported: false, detail: error.message };
    throw error;
  }
}

/** See `ConnectionsApp.agents`. */
export const remoteAgentsOf = ({ skills }: Pick<Workspace, 'skills'>): readonly RemoteAgentEntry[] =>
  [...skills.values()].flatMap(({ id, description, effects, implementation }): readonly RemoteAgentEntry[] => {
    if (implementation.type !== 'agent' || implementation.cardUrl === null) return [];
    const { cardUrl, skillId, credentialsRef, onUnanswerable, permission, timeoutMs } = implementation;
    return [
      {
        ...{ id, description, cardUrl, skillId, credentialsRef, permission, effects },
        onUnanswerable: onUnanswerable ?? DEFAULTS.AgentImplementation.on_unanswerable,
        timeoutS: timeoutMs / 1000,
      },
    ];
  });
