import { KitError } from '../domain/errors.js';
import type { PluginHost } from '../domain/extension-points.js';
import type { Job } from '../domain/job.js';
import type { AgentWorld } from '../domain/ports/agent-transport.js';
import type { ChildRuns } from '../domain/ports/child-runs.js';
import type { OutboundFetch } from '../domain/ports/outbound.js';
import type { RemoteAgent, RemoteAgents, RemoteTasks } from '../domain/ports/remote-agents.js';
import type { CredentialService } from '../host/secrets.js';
import { type RefusalParts, refusalHandler } from './refusal-handler.js';

/** Submitters of a line of runs that another system is told of. */
const MAX_BEHALF = 8;
/** Runs that stand above each other, wherever they are. */
const MAX_DEPTH = 5;

export interface ReachParts {
  readonly workspace: RefusalParts['workspace'];
  readonly plugins: Pick<PluginHost, 'resolve'>;
  readonly credentials: CredentialService;
  readonly fetch: OutboundFetch;
}

export interface RemoteAgentsParts extends ReachParts {
  readonly job: Pick<Job, 'submittedBy' | 'earlier'>;
  readonly children: Pick<ChildRuns, 'depth'>;
}

/** The way to agents that run elsewhere, through the transport `a2a`. */
function openReach({ fetch, ...parts }: ReachParts) {
  const { plugins, credentials } = parts;
  const transport = () => plugins.resolve('agentTransports', 'a2a', {});
  const worldOf = ({ credentialsRef, signal }: RemoteAgent): AgentWorld => {
    const refused = credentialsRef === null ? null : refusalHandler(parts, [credentialsRef]);
    return {
      fetch,
      bearer: async () => (credentialsRef === null ? null : credentials.credential(credentialsRef)),
      ...(refused === null ? {} : { refused }),
      signal,
    };
  };
  /** `${NAME}` stands in the journal; what it means is read where it is used. */
  const located = async (agent: RemoteAgent): Promise<RemoteAgent> => ({
    ...agent,
    cardUrl: await credentials.render(agent.cardUrl, []),
  });
  /** The transport, once it is sure that a message goes to the origin of the card. */
  const reach = async (agent: RemoteAgent, url: string) => {
    assertOrigin(await located(agent), url);
    return transport();
  };
  return { transport, worldOf, located, reach };
}

/** Tasks of agents that run elsewhere, without a run. */
export function openRemoteTasks(parts: ReachParts): RemoteTasks {
  const { worldOf, reach } = openReach(parts);
  return {
    get: async (agent, to, taskId) => (await reach(agent, to.url)).get(to, taskId, worldOf(agent)),
    async *follow(agent, to, taskId) {
      const hints = (await reach(agent, to.url)).follow?.(to, taskId, worldOf(agent));
      if (hints !== undefined) yield* hints;
    },
    cancel: async (agent, to, taskId) => (await reach(agent, to.url)).cancel(to, taskId, worldOf(agent)),
  };
}

/** Agents that a run of this process calls. */
export function openRemoteAgents(parts: RemoteAgentsParts): RemoteAgents {
  const { transport, worldOf, located, reach } = openReach(parts);
  const { get, cancel } = openRemoteTasks(parts);
  return {
    get,
    cancel,
    card: async (agent) => {
      const { cardUrl } = await located(agent);
      const card = await (await transport()).card(cardUrl, worldOf(agent));
      assertOrigin({ cardUrl }, card.url);
      return card;
    },
    send: async (agent, to, { answers, ...message }) => {
      const depth = (await parts.children.depth()) + 1;
      if (depth > MAX_DEPTH)
        throw new KitError('KIT_AGENT_REFUSED', `runs call runs ${MAX_DEPTH} levels deep at most`, {
          data: { rpcCode: -32602 },
        });
      const behalf = {
        ...{ onBehalfOf: behalfOf(parts.job), depth, skillId: agent.skillId },
        ...(answers ?? { contextId: null }),
      };
      return (await reach(agent, to.url)).send(to, { ...message, ...behalf }, worldOf(agent));
    },
  };
}

/** Whoever submitted the run, and the runs before it in its line. */
const behalfOf = ({ submittedBy, earlier }: RemoteAgentsParts['job']): readonly string[] =>
  [...new Set([submittedBy, ...earlier.map((one) => one.submittedBy)].map(({ identity }) => identity))].slice(
    0,
    MAX_BEHALF,
  );

/**
 * A credential goes to the origin of the card alone, and so does every message. Throws
 * KIT_A2A_ORIGIN.
 */
function assertOrigin({ cardUrl }: Pick<RemoteAgent, 'cardUrl'>, url: string): void {
  const [own, other] = [URL.parse(cardUrl)?.origin, URL.parse(url)?.origin];
  if (own !== undefined && own === other) return;
  throw new KitError('KIT_A2A_ORIGIN', `the card at ${own ?? 'no address'} sends messages to ${other ?? 'no address'}`);
}
