import type { GateRound, GateStatus, RecordedDecision, ReviewItem } from '../domain/gates.js';

/** One decision as the gate shows it, of any round. */
export interface GateResolution
  extends Pick<RecordedDecision, 'itemId' | 'role' | 'scope' | 'comment' | 'round' | 'at' | 'carriedFrom'> {
  readonly status: GateStatus;
  readonly resolvedBy: string;
  /** It no longer counts: an earlier round, or a decision that a reopened task replaced. */
  readonly stale: boolean;
}

/** A task that still waits, and who could complete it now. */
export interface GateActor {
  readonly itemId: string;
  readonly ruleIndex: number;
  readonly role: string;
  readonly scope: string;
  /**
   * Members of the role, by the live registry, whose decision would count now. Empty: nobody can,
   * `stuck` says why.
   */
  readonly members: readonly string[];
}

/**
 * A gate as CLI and HTTP show it (docs/design/decisions.md#wire, Gate), in its newest round.
 * Timestamps are ISO 8601.
 */
export interface GateDetails extends Omit<GateRound, 'jobId' | 'activation' | 'policyDigest' | 'parts' | 'remindAt'> {
  readonly runId: string;
  /** `status` is not `pending`. */
  readonly resolved: boolean;
  /** False: the policy could not be located and `status` is folded from the items. */
  readonly quorumEvaluated: boolean;
  /** Of this round. */
  readonly items: readonly ReviewItem[];
  /** Of all rounds, oldest first. */
  readonly resolutions: readonly GateResolution[];
  /** People whose approvals count in this round. */
  readonly distinctApprovers: readonly string[];
  /** Each `<role> (<scope>)` that is still waited for. */
  readonly outstanding: readonly string[];
  readonly actors: readonly GateActor[];
  /**
   * One sentence for each open task that nobody can complete by the live registry, and for a floor
   * that nobody can meet.
   */
  readonly stuck: readonly string[];
  /**
   * Why nobody takes a decision now although the gate is open: its run is stopped. Null = one is
   * taken.
   */
  readonly halted: string | null;
  readonly excludeAuthor: boolean;
  /** The policy excludes the author, and no author is known. */
  readonly excludeAuthorUnapplied: boolean;
  readonly author: {
    readonly identity: string;
    /** What the identity maps to in the live registry. */
    readonly person: string;
    readonly assurance: 'authenticated' | 'asserted' | 'system';
    /** By the live registry. */
    readonly identified: boolean;
    /** What to know about the author rule here; null = nothing. */
    readonly note: string | null;
  };
  /** Who submitted the runs that this one goes on from, oldest first: authors as well. */
  readonly earlierAuthors: readonly { readonly identity: string; readonly person: string; readonly jobId: string }[];
  /** Rejected by the clock, or past its instant and about to be. */
  readonly expired: boolean;
}
