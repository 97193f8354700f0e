import type { Json } from '../json.js';
import type { AgentCard, AgentEndpoint, AgentMessage, AgentTask } from './agent-transport.js';

/** Whom an `agent` skill with a `card_url` calls. */
export interface RemoteAgent {
  /** Address of its Agent Card. */
  readonly cardUrl: string;
  /** Which skill of the card; null = the agent chooses. */
  readonly skillId: string | null;
  /** Name of a credential; the value is resolved by whoever calls, at the point of use. */
  readonly credentialsRef: string | null;
  readonly signal: AbortSignal;
}

export interface RemoteMessage {
  /** The same on each attempt, so that the other side can recognise a repetition. */
  readonly messageId: string;
  /** The task, and its context, that it answers. Absent: it asks for a new one. */
  readonly answers?: { readonly taskId: string; readonly contextId: string | null };
  readonly input: Json;
  /** What it may use; null = there is no such limit. */
  readonly budget: AgentMessage['budget'];
}

/**
 * The one way to agents that run elsewhere. Every method throws what a transport throws, and
 * KIT_CREDENTIAL_UNRESOLVED.
 */
export interface RemoteAgents {
  /** Also throws KIT_A2A_ORIGIN for a card whose endpoint has another origin than the card. */
  card(agent: RemoteAgent): Promise<AgentCard>;
  send(agent: RemoteAgent, to: AgentEndpoint, message: RemoteMessage): Promise<AgentTask>;
  get(agent: RemoteAgent, to: AgentEndpoint, taskId: string): Promise<AgentTask>;
  cancel(agent: RemoteAgent, to: AgentEndpoint, taskId: string): Promise<void>;
}

/** What whoever watches tasks asks, without a run. Throws as `RemoteAgents` does. */
export interface RemoteTasks extends Pick<RemoteAgents, 'get' | 'cancel'> {
  /** States as the agent tells of them; ends at once where its transport follows nothing. */
  follow(agent: RemoteAgent, to: AgentEndpoint, taskId: string): AsyncIterable<AgentTask['state']>;
}
