import type { DeciderAuth, RecordedDecision, ReviewItem } from '../../domain/gates.js';
import type { Job } from '../../domain/job.js';
import type { JsonObject } from '../../domain/json.js';
import type { GateDetails } from '../../view/gate-details.js';
import type { ItemName } from './find-item.js';

/** A person's decision about one role task. */
export interface ResolveItem extends ItemName {
  readonly workspace: string;
  /**
   * As the entry point has it: from a credential, never from what is sent along with the decision.
   */
  readonly identity: string;
  readonly auth: DeciderAuth;
  /** `approve`, `reject`, `changes_requested` or `changes-requested`. */
  readonly outcome: string;
  /** Required for requested changes. */
  readonly comment: string;
}

/** A decision about a permission, an input or another item that is not a role task. */
export interface AnswerItem extends ItemName, Pick<ResolveItem, 'workspace' | 'comment' | 'identity' | 'auth'> {
  readonly action: 'approve' | 'reject' | 'answer';
  /** Text, option or index of an option; with `answer` alone. */
  readonly answer: string | null;
  /**
   * With `approve` of a permission: what its call is made with instead. Refused where the program
   * takes no other input (KIT_OUTCOME_INVALID). Absent: its own.
   */
  readonly input?: JsonObject;
}

/** What a recorded decision came to. */
export interface ResolvedItem {
  /** As it stands after the decision. */
  readonly item: ReviewItem;
  /** The gate after it; null for an item that is not a role task. */
  readonly gate: GateDetails | null;
  readonly decision: RecordedDecision | null;
  /** The same person had decided the same before: nothing was written but the attempt. */
  readonly unchanged: boolean;
  /** Id of the task that opened again because too few people signed; null = none did. */
  readonly reopened: string | null;
  /** Ids of the rules that this approval made kit propose, as `kit trust list` shows them. */
  readonly proposed: readonly string[];
  /**
   * The run after the decision; `pending` or `queued` = it goes on as soon as somebody claims it.
   */
  readonly job: Job;
  /**
   * Sequence number of the last event that the decision wrote: what the run does next has higher
   * ones.
   */
  readonly seq: number;
}

/**
 * An attempt of an authenticated caller that the entry point refused before anything of it was
 * read.
 */
export interface RefusedByScope {
  readonly workspace: string;
  /** Full id. */
  readonly item: string;
  readonly identity: string;
  readonly auth: DeciderAuth;
  /** What was tried; '' where that stands in the body, which nobody read. */
  readonly action: '' | AnswerItem['action'];
  /** The scope that the caller lacks. */
  readonly scope: string;
}

/** Who looks at what is asked. */
export interface Viewer {
  readonly identity: string;
  readonly auth: DeciderAuth;
  /** Why this entry point takes no decision of theirs at all; null or absent: it does. */
  readonly refused?: string | null;
}
