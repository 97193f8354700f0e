import type { EarlierSubmitter, JobStatus, Submitter } from './job.js';
import type { Json } from './json.js';

/**
 * Status of a gate and of a review item (docs/design/decisions.md#statuses): escalated, stale and
 * withdrawn are marks, no statuses.
 */
export type GateStatus = 'pending' | 'approved' | 'rejected' | 'changes-requested';

/** What a person decides about a role task. CLI and HTTP accept `changes-requested` too. */
export type Outcome = 'approve' | 'reject' | 'changes_requested';

/**
 * `permission`: may this be done; `input`: a question; `role_task`: one role's part of a gate;
 * `other`: anything else a person must settle.
 */
export type ItemKind = 'permission' | 'input' | 'role_task' | 'other';

/**
 * Rounds that one activation can have at its gate; changes asked for in the last of them fail it
 * with `rework_exhausted`, before another draft.
 */
export const MAX_ROUNDS = 20;

/** `k-of` counts roles (docs/design/decisions.md#quorum). */
export type Quorum = 'all' | 'any' | { readonly kOf: number };

/** Compiled form of one rule of an `approve:` block. */
export interface ApprovalRule {
  readonly scope: string;
  /** At least one role id, each once. */
  readonly roles: readonly string[];
  readonly quorum: Quorum;
  /**
   * Paths of the diff, or JSON pointers of top-level fields, that this rule is about; null: any
   * change concerns it.
   */
  readonly covers: readonly string[] | null;
}

/** What happens when a gate is not decided in time; an extension, off unless written. */
export interface GateExpiry {
  readonly afterMs: number;
  /** A reminder this long before; null = none. */
  readonly remindBeforeMs: number | null;
  readonly action: 'reject' | 'escalate';
  /**
   * Roles of the one more rule (`any` of them) that an escalation adds; its scope is that of the
   * first rule. Empty with `reject`.
   */
  readonly escalateTo: readonly string[];
}

/**
 * Compiled form of an `approve:` block (docs/gates.md#the-policy-who-must-sign). Frozen in the
 * snapshot; its digest is evidence in each record.
 */
export interface ApprovalPolicy {
  readonly rules: readonly ApprovalRule[];
  readonly excludeAuthor: boolean;
  readonly onRevision: 'reset_all' | 'reconfirm_changed';
  /** People, not roles; null = no floor. */
  readonly minDistinctApprovers: number | null;
  readonly expiry: GateExpiry | null;
}

/**
 * The role registry as it is now: all files merged. Read live for each decision, never frozen
 * (docs/design/journal.md#live).
 */
export interface RoleDirectory {
  readonly roles: readonly {
    readonly id: string;
    readonly members: readonly string[];
    readonly scopes: readonly string[];
  }[];
  /** Names under which one person appears; a name that stands nowhere is a person of its own. */
  readonly identities: readonly { readonly id: string; readonly aliases: readonly string[] }[];
  /** SHA-256 hex over the canonical JSON of the two above. */
  readonly digest: string;
}

/** A registry in which nobody stands: nobody is asked, or it cannot be read. */
export const NO_ROLES: RoleDirectory = { roles: [], identities: [], digest: '' };

/**
 * One round of one gate: an artifact, and who must sign it. `<run>:<agent>` names the gate; a
 * rework opens the next round.
 */
export interface GateRound {
  readonly gateId: string;
  /** From 0, counted per gate id; no number is used twice. */
  readonly round: number;
  readonly jobId: string;
  readonly topologyId: string;
  readonly agentId: string;
  /**
   * Journal key of the activation that it belongs to: no decision crosses over to another one
   * (docs/design/journal.md#gate-rounds).
   */
  readonly activation: string;
  readonly funnelId: string;
  readonly status: GateStatus;
  /** `<correlation>/<run>/<name>#<12 hex>`, to be read; what is compared is `sha256`. */
  readonly artifactRef: string;
  /** SHA-256 hex of the artifact's bytes; also the key of its content. */
  readonly sha256: string;
  readonly mediaType: string;
  readonly policy: ApprovalPolicy;
  readonly policyDigest: string;
  /** What the automated layers said; shown to people, never part of a decision. */
  readonly evidence: GateEvidence;
  /**
   * SHA-256 hex of each part that a rule `covers`: rule index (text) -> part -> digest. What
   * `reconfirm_changed` compares.
   */
  readonly parts: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Roles of the rule that an escalation added; empty before. */
  readonly escalatedTo: readonly string[];
  readonly openedAt: string;
  readonly expiresAt: string | null;
  readonly remindAt: string | null;
  readonly decidedAt: string | null;
  /**
   * The run ended, or the gate was rejected elsewhere, before people decided: nothing can be
   * decided any more.
   */
  readonly withdrawn: boolean;
}

/** What the layers before `approve` found, for the people who decide. */
export interface GateEvidence {
  /** Drafts that the automated layers sent back. */
  readonly retries: number;
  /** Retries ran out: the artifact comes with the last critique. */
  readonly escalated: boolean;
  readonly failedLayers: readonly ('validate' | 'judge' | 'review')[];
  readonly critique: string | null;
  readonly judge: {
    readonly skill: string;
    readonly verdict: string;
    readonly confidence: number;
    readonly reasoning: string;
  } | null;
  /** Findings of the reviewer below `route_back_at`. */
  readonly findings: readonly Json[];
  /** SHA-256 hex of the unified diff of a harness; null without one. */
  readonly diffSha256: string | null;
}

/** One task for people. Ids are looked up, never parsed. */
export interface ReviewItem
  extends Pick<GateRound, 'jobId' | 'topologyId' | 'agentId' | 'round' | 'status' | 'artifactRef' | 'withdrawn'> {
  /** Role task: `mpa-<gate>-<rule>-<role>[-r<round>]`. */
  readonly id: string;
  readonly kind: ItemKind;
  readonly skillId: string | null;
  /** Journal key of the step that opened it. */
  readonly stepKey: string;
  /** Role tasks alone: these four. */
  readonly gateId: string | null;
  readonly ruleIndex: number | null;
  readonly role: string | null;
  readonly scope: string | null;
  /** '' while pending. */
  readonly resolvedBy: string;
  readonly comment: string;
  /** Text of an answered `input` or `other` item; its status is then `approved`. */
  readonly answer: string | null;
  /** Why the task exists, one sentence. */
  readonly reason: string;
  /**
   * Items other than role tasks: what is asked, the options offered, and whether any text is taken.
   */
  readonly question: string | null;
  readonly options: readonly string[];
  readonly freeTextAllowed: boolean;
  /** Details for people: capability, server, tool, arguments and their digest. */
  readonly details: Json;
  /** An earlier round, or a decision that no longer counts. */
  readonly stale: boolean;
  readonly escalated: boolean;
  /** How often the task was opened again because too few people signed. */
  readonly reopened: number;
  readonly createdAt: string;
  readonly resolvedAt: string | null;
}

/** How the CLI or a server knows who decides; it says nothing about what they may do. */
export interface DeciderAuth {
  /** How far the identity is proven: by a credential, or only said. */
  readonly assurance: 'authenticated' | 'asserted';
  /**
   * Nobody is authenticated: the CLI, or a server under `none`
   * (docs/design/decisions.md#open-server).
   */
  readonly isUnauthenticated: boolean;
  /** What they call the identity (`client_name`), for people; absent: it knows no name. */
  readonly clientName?: string;
}

/**
 * On this machine everybody is who they say they are: what they may write, they could write without
 * kit.
 */
export const LOCAL_AUTH: DeciderAuth = { assurance: 'asserted', isUnauthenticated: true };

/** One decision that was recorded: never changed afterwards but for `stale`. */
export interface RecordedDecision {
  /** UUID. */
  readonly id: string;
  readonly itemId: string;
  readonly gateId: string;
  readonly jobId: string;
  readonly round: number;
  readonly ruleIndex: number;
  readonly role: string;
  readonly scope: string;
  /** As it was given or authenticated, and the person it maps to. */
  readonly identity: string;
  readonly person: string;
  /** `asserted`: by the CLI's `--as`, or a server without authentication. */
  readonly assurance: 'authenticated' | 'asserted';
  readonly outcome: Outcome;
  readonly comment: string;
  readonly at: string;
  /**
   * Full digest of what was decided about; with the round, this alone says whether the decision
   * counts.
   */
  readonly sha256: string;
  /** Evidence: what policy and registry were at that instant. */
  readonly policyDigest: string;
  readonly registryDigest: string;
  readonly stale: boolean;
  /**
   * The round in which it was made, where `reconfirm_changed` carried it into a later one; null =
   * made here.
   */
  readonly carriedFrom: number | null;
  /**
   * Ed25519 over the canonical JSON of the decision without `stale` and `signature`; null: no key
   * was there.
   */
  readonly signature: DecisionSignature | null;
}

/**
 * Who signed: the key's id is the first 16 hex characters of the SHA-256 of the public key. Values
 * are base64.
 */
export interface DecisionSignature {
  readonly keyId: string;
  readonly publicKey: string;
  readonly value: string;
}

/** Everything about the reviews of one job, as one transaction sees it. */
export interface ReviewState {
  /** The store's clock: deadlines are judged by it, whoever asks. */
  readonly now: string;
  readonly job: {
    readonly id: string;
    readonly status: JobStatus;
    readonly topologyId: string;
    readonly submittedBy: Submitter;
    readonly earlier: readonly EarlierSubmitter[];
    readonly waitingOn: readonly string[];
    readonly autoResume: boolean;
  };
  /** All rounds of all gates, by gate id and round. */
  readonly gates: readonly GateRound[];
  readonly items: readonly ReviewItem[];
  /** In the order in which they were recorded. */
  readonly decisions: readonly RecordedDecision[];
}

/** A new round with its tasks, written with the `started` row of its gate step. */
export interface GateOpening {
  readonly gate: GateRound;
  readonly items: readonly ReviewItem[];
  /** Decisions of the round before that still count (`reconfirm_changed`). */
  readonly carried: readonly RecordedDecision[];
}
