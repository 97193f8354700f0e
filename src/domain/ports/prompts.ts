import type { TextsSoFar } from '../texts-so-far.js';

/**
 * One call of a model and what came back: secrets masked, long texts cut.
 */
interface AnsweredCall {
  readonly jobId: string;
  /** Key of the step that made the call. */
  readonly stepKey: string;
  readonly agentId: string;
  /** Of a call that a skill made; else null. */
  readonly skillId: string | null;
  readonly purpose: 'turn' | 'correction' | 'skill' | 'continuation' | 'summary';
  readonly provider: string;
  readonly model: string;
  /** Which try of the step, from 1: a call that failed for a passing reason is made again. */
  readonly tries: number;
  /** ISO 8601. */
  readonly askedAt: string;
  readonly durationMs: number;
  /** JSON text: the parts of the answer, or the failure. */
  readonly answer: string;
}

/** A call with what was asked, as `kit debug` shows it. */
export interface KeptPrompt extends AnsweredCall {
  /** JSON text: `messages`, the names of `tools`, and the settings of the request. */
  readonly prompt: string;
}

/** A conversation of one claim of a run: what its calls have in common is kept once. */
export interface HeldConversation {
  /** Names it among the conversations of its run. */
  readonly name: string;
}

/** A call that waits in memory for the next write. */
export interface HeldCall extends AnsweredCall {
  /** The same object for each call of a conversation. */
  readonly conversation: HeldConversation;
  /** JSON texts of its messages, up to and with those of this call. */
  readonly messages: TextsSoFar;
  /** JSON text of an object: everything of the request but its messages. */
  readonly settings: string;
  /** About how much of memory it takes: what is new of its conversation, with the answer. */
  readonly chars: number;
}

/** How much is kept; whichever bound is reached first, the oldest go. */
export interface PromptBounds {
  /** Calls; >= 1. */
  readonly count: number;
  /** UTF-8 bytes of all that is kept; the newest call stays whatever its size. */
  readonly bytes: number;
  readonly ageMs: number;
}

/** Where a process hands in the calls that it makes. */
export interface PromptKeeper {
  /**
   * Holds a call in memory, within the bounds of number and bytes, until the next write: once a
   * second, with a `flush`, and when the store is closed.
   */
  hold(call: HeldCall): void;
  /**
   * Writes what is held. What is handed to the store in the same turn shares its commit. Throws
   * what the store throws; the calls of that write are lost.
   */
  flush(): Promise<void>;
  /**
   * A run has ended: `flush`, unless this process has written a quarter of what is kept within the
   * last second. Then the next write of a second is soon enough: it holds what is left of all of
   * them. Throws as `flush` does.
   */
  runEnded(): Promise<void>;
}

/**
 * The newest calls of models of a store, whoever made them. It is for people who look for a fault:
 * nothing depends on it, so the calls of the last second may be missing after a crash, and no fault
 * point stands at its writes. It goes with its run, and with the results of its run
 * (`storage.journal_days`).
 */
export interface PromptBuffer {
  /** One for all runs of a process; the bounds are those of whoever asked last. */
  keeper(bounds: PromptBounds): Promise<PromptKeeper>;
  /**
   * Newest first, of one run or (null) of all; what this process holds is written before. Each
   * call has its whole prompt, however little of it lies in its own row.
   */
  list(ask: { readonly jobId: string | null; readonly limit: number }): Promise<readonly KeptPrompt[]>;
  /** Calls that are kept. */
  count(): Promise<number>;
}
