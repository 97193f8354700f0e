import type { Json } from '../json.js';
import type { OutboundFetch } from './outbound.js';
import type { RefusalHandler } from './tools.js';

/** What a card says of an agent that runs elsewhere. All of it is a stranger's word. */
export interface AgentCard {
  readonly name: string;
  readonly description: string;
  /** Where messages go. */
  readonly url: string;
  /** In the words of the protocol; handed back with each call. */
  readonly version: string;
  readonly streaming: boolean;
  readonly requiresBearer: boolean;
  readonly skills: readonly { readonly id: string; readonly name: string; readonly description: string }[];
  /** It bounds a run by what its caller still allows. */
  readonly honorsBudget: boolean;
  /** It tells what a run has used: one that tells nothing has used nothing. Absent: false. */
  readonly returnsUsage?: boolean;
  /** The same message is the same task, however often it comes. */
  readonly deduplicates: boolean;
}

/** Where a task is, once there is one. */
export type AgentEndpoint = Pick<AgentCard, 'url' | 'version'>;

/** How the other side is reached: with what, and until when. */
export interface AgentWorld {
  /** The one way out; it refuses addresses that are not called. */
  readonly fetch: OutboundFetch;
  /** Asked with each request; null = none is sent. */
  readonly bearer: () => Promise<string | null>;
  /** As `refused` of a tool server. */
  readonly refused?: RefusalHandler;
  readonly signal: AbortSignal;
}

/** What is asked of an agent. */
export interface AgentMessage {
  /** The same for the same call, however often it is sent. */
  readonly messageId: string;
  readonly contextId: string | null;
  /** The task that it answers, which is `input-required`. Absent: it asks for a new one. */
  readonly taskId?: string;
  /** Which skill of the card; null = the agent chooses. */
  readonly skillId: string | null;
  readonly input: Json;
  /** What it may use; null = no limit. Sent to whoever honours it or not. */
  readonly budget: {
    readonly usd: number | null;
    /** Turns of models. */
    readonly turns: number | null;
    /** Time of its work, without what it waits for people. */
    readonly wallClockMs: number | null;
  };
  /** Submitters of the line of the calling run, oldest last; 8 at most. */
  readonly onBehalfOf: readonly string[];
  /** Runs above the one that is asked for. */
  readonly depth: number;
}

/** A task of the other side. `input-required`: it waits for people, or for an answer of ours. */
export interface AgentTask {
  readonly id: string;
  readonly contextId: string | null;
  readonly state: 'working' | 'input-required' | 'completed' | 'failed' | 'canceled';
  /** What the agent says of the state; bounded. Null: nothing. */
  readonly text: string | null;
  /** Of a completed task. */
  readonly output: Json;
  /** Where people of the other side decide; null: it waits for none of them. */
  readonly gateUrl: string | null;
  /** Run of the other side; null: it names none. */
  readonly runId: string | null;
  /** Null: it tells nothing. A null cost is an unknown one. */
  readonly usage: {
    readonly inputTokens: number;
    readonly outputTokens: number;
    readonly costUsd: number | null;
  } | null;
}

/**
 * How agents that run elsewhere are spoken with: transport alone. Which task belongs to which call,
 * how long is waited and what it counts for is kit's.
 *
 * Each method throws KIT_OUTBOUND_REFUSED and KIT_OUTBOUND_FAILED of the fetch, and
 * KIT_AGENT_INVALID for an answer that is none. No error repeats a credential.
 */
export interface AgentTransport {
  /** Throws KIT_AGENT_INVALID too for a card that names no endpoint that is spoken here. */
  card(cardUrl: string, world: AgentWorld): Promise<AgentCard>;
  /** Answers at once, with the task as it stands. Throws KIT_AGENT_REFUSED where it is refused. */
  send(to: AgentEndpoint, message: AgentMessage, world: AgentWorld): Promise<AgentTask>;
  /** Throws KIT_AGENT_REFUSED where there is no such task. */
  get(to: AgentEndpoint, taskId: string, world: AgentWorld): Promise<AgentTask>;
  /**
   * States of the task as the other side tells of them, each a hint that it may have moved: what
   * there is, `get` says. Ends with the stream, or when the signal aborts; throws
   * KIT_AGENT_REFUSED where the task cannot be followed. Asked of agents whose card says
   * `streaming` alone. Absent: tasks are looked at.
   */
  follow?(to: AgentEndpoint, taskId: string, world: AgentWorld): AsyncIterable<AgentTask['state']>;
  /** Asks it to stop; one that is over is left alone. Throws KIT_AGENT_REFUSED. */
  cancel(to: AgentEndpoint, taskId: string, world: AgentWorld): Promise<void>;
}
