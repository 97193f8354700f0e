import type { RunRequest } from '../../domain/job.js';
import type { Conversation } from '../../domain/ports/serving.js';

/**
 * Longest message of a person, in characters; a longer text belongs into an attachment or a file.
 */
export const MAX_MESSAGE_CHARS = 100_000;

/** A conversation in a list. */
export interface ConversationSummary {
  readonly id: string;
  readonly topology: string;
  readonly turnCount: number;
  readonly updatedAt: string;
  /** First 60 characters of the newest message; '' before the first. */
  readonly lastMessage: string;
}

/**
 * What a turn asks of the run pipeline of its door. `id` is the job's: the turn is taken before the
 * job exists.
 */
export type TurnRun = Pick<RunRequest, 'topology' | 'input' | 'correlationId' | 'source' | 'labels'> & {
  readonly id: string;
};

/** A turn whose run was submitted. */
export interface SubmittedTurn<T> {
  readonly conversation: Conversation;
  readonly n: number;
  readonly jobId: string;
  /** What the door's submit gave. */
  readonly run: T;
}

/** A message of a person. `submit` is the door's own way into the one run pipeline. */
export interface SendMessage<T> {
  readonly workspace: string;
  /** Id or unique prefix. */
  readonly conversation: string;
  readonly message: string;
  readonly submit: (run: TurnRun) => Promise<T>;
}

/**
 * Conversations with a topology. A turn is a run like any other, with source `chat` and the
 * conversation as its correlation id; its answer is the output of that run, so a turn that parks on
 * a gate is answered when its run completes, wherever that happens.
 */
export interface ConversationsApp {
  /** Throws KIT_TOPOLOGY_UNKNOWN. */
  create(ask: { readonly workspace: string; readonly topology: string; readonly by: string }): Promise<Conversation>;
  /** Newest first; `limit` 1..100. */
  list(ask: { readonly workspace: string; readonly limit: number }): Promise<readonly ConversationSummary[]>;
  /** Throws KIT_CONVERSATION_UNKNOWN. */
  get(ask: { readonly workspace: string; readonly conversation: string }): Promise<Conversation>;
  /**
   * Takes the next turn and submits its run. One turn at a time: KIT_CONVERSATION_BUSY while the
   * run of the turn before goes on or waits; a turn whose run failed or was stopped is replaced.
   * Throws KIT_REQUEST_INVALID for an empty or overlong message, and what `submit` throws: the turn
   * is given back then.
   */
  send<T>(message: SendMessage<T>): Promise<SubmittedTurn<T>>;
}
