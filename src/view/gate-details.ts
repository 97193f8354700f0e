import type { ApprovalPolicy, GateEvidence, GateStatus, ReviewItem } from '../domain/gates.js';

/** One decision as the gate shows it, of any round. */
export interface GateResolution {
  readonly itemId: string;
  readonly role: string;
  readonly scope: string;
  readonly status: GateStatus;
  readonly resolvedBy: string;
  readonly comment: string;
  readonly round: number;
  readonly at: string;
  /** It no longer counts: an earlier round, or a decision that a reopened task replaced. */
  readonly stale: boolean;
  /** Round from which `reconfirm_changed` kept it, from 0; null = made in its own round. */
  readonly carriedFrom: number | null;
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
 * A gate as every door shows it (docs/design/decisions.md#wire, Gate), in its newest round.
 * Timestamps are ISO 8601.
 */
export interface GateDetails {
  readonly gateId: string;
  readonly runId: string;
  readonly topologyId: string;
  readonly agentId: string;
  readonly funnelId: string;
  /** From 0. */
  readonly round: number;
  readonly status: GateStatus;
  /** `status` is not `pending`. */
  readonly resolved: boolean;
  /** False: the policy could not be located and `status` is folded from the items. */
  readonly quorumEvaluated: boolean;
  readonly artifactRef: string;
  /** SHA-256 hex of the artifact: what is decided about. */
  readonly sha256: string;
  readonly mediaType: string;
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
   * Why no door takes a decision now although the gate is open: its run is stopped. Null = they do.
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
  readonly policy: ApprovalPolicy;
  readonly evidence: GateEvidence;
  /** Roles that an expired gate went to. */
  readonly escalatedTo: readonly string[];
  readonly openedAt: string;
  readonly expiresAt: string | null;
  /** Rejected by the clock, or past its instant and about to be. */
  readonly expired: boolean;
  readonly decidedAt: string | null;
  /** Nothing can be decided any more: the run ended, or was rejected elsewhere. */
  readonly withdrawn: boolean;
}
