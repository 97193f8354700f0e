import type { Submitter } from '../../domain/job.js';
import type { Answer } from '../../view/lines/answer-text.js';

/** A question about a workspace and what was run in it. */
export interface Question {
  /** Absolute workspace directory. */
  readonly workspace: string;
  readonly question: string;
  /** Run id or a unique prefix; null = the newest runs. */
  readonly run: string | null;
  /** True: nobody is asked, and the facts are the answer. */
  readonly offline: boolean;
  readonly submittedBy: Submitter;
}

/** Events that an answer is given from (docs/debug.md#kit-ask). */
export const MAX_EVENTS = 200;

/**
 * Questions in words. A model answers from the workspace's definition and the log alone, in an
 * ordinary run of the entry agent's model without tools, labelled `kit_ask`; without a model the
 * facts are the answer.
 */
export interface AskApp {
  /**
   * Throws KIT_WORKSPACE_NOT_FOUND, KIT_WORKSPACE_INVALID, KIT_JOB_UNKNOWN, KIT_JOB_ID_AMBIGUOUS,
   * and KIT_USAGE for an empty question.
   */
  ask(question: Question): Promise<Answer>;
}
