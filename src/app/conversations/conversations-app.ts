import type { RunRequest } from '../../domain/job.js';
import type { Conversation } from '../../domain/ports/serving.js';
import type { ConversationSummary } from '../../view/schemas/memory.js';

/**
 * Longest message of a person, in characters; a longer text belongs into an attachment or a file.
 */
export const MAX_MESSAGE_CHARS = 100_000;

/**
 * What a turn asks of the run pipeline of its entry point. `id` is the job's: the turn is taken
 * before the job exists.
 */
export type TurnRun = Pick<
  RunRequest,
  'topology' | 'input' | 'conversation' | 'correlationId' | 'source' | 'labels'
> & {
  readonly id: string;
};

/** A turn whose run was submitted. */
export interface SubmittedTurn<T> {
  readonly conversation: Conversation;
  readonly n: number;
  readonly jobId: string;
  /** What the entry point's submit gave. */
  readonly run: T;
}

/** Who looks at conversations, or speaks in one. */
export interface ConversationReader {
  readonly identity: string;
  /** The entry point tells nobody apart (a server under `none`): everybody there is one person. */
  readonly isAnybody?: boolean;
  /** Reads the conversations of others as well, and says nothing in them. */
  readonly isAdmin?: boolean;
}

/** A message of a person. `submit` is the entry point's own way into the one run pipeline. */
export interface SendMessage<T> {
  readonly workspace: string;
  /** Id or unique prefix. */
  readonly conversation: string;
  readonly message: string;
  readonly reader: ConversationReader;
  readonly submit: (run: TurnRun) => Promise<T>;
}

/**
 * Conversations with a topology. A turn is a run like any other, with source `chat` and the
 * conversation as its correlation id; its answer is the output of that run, so a turn that parks on
 * a gate is answered when its run completes, wherever that happens.
 */
export interface ConversationsApp {
  /**
   * A conversation is its creator's, unless it is `shared` (default false): then it is open to
   * everybody of the tier. Throws KIT_TOPOLOGY_UNKNOWN.
   */
  create(ask: {
    readonly workspace: string;
    readonly topology: string;
    readonly by: string;
    readonly shared?: boolean;
  }): Promise<Conversation>;
  /** What the reader may see, newest first; `limit` 1..100. */
  list(ask: {
    readonly workspace: string;
    readonly limit: number;
    readonly reader: ConversationReader;
  }): Promise<readonly ConversationSummary[]>;
  /** Throws KIT_CONVERSATION_UNKNOWN, also for one that the reader may not see. */
  get(ask: {
    readonly workspace: string;
    readonly conversation: string;
    readonly reader: ConversationReader;
  }): Promise<Conversation>;
  /**
   * Takes the next turn and submits its run. One turn at a time: KIT_CONVERSATION_BUSY while the
   * run of the turn before goes on or waits; a turn whose run failed or was stopped is replaced.
   * Throws KIT_CONVERSATION_UNKNOWN, KIT_CONVERSATION_FOREIGN for one that the reader only reads,
   * KIT_REQUEST_INVALID for an empty or overlong message, and what `submit` throws: the turn
   * is given back then.
   */
  send<T>(message: SendMessage<T>): Promise<SubmittedTurn<T>>;
}
