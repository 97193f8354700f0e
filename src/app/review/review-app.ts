import type { StoredEvent } from '../../domain/events.js';
import type { ItemKind, ReviewItem } from '../../domain/gates.js';
import type { Job } from '../../domain/job.js';
import type { GateElsewhere } from '../../domain/ports/remote-waits.js';
import type { ItemPage } from '../../domain/ports/reviews.js';
import type { ReviewRequest } from '../../view/asked.js';
import type { GateDetails } from '../../view/gate-details.js';
import type { Situation } from '../../view/situation/situation.js';
import type { AnswerItem, RefusedByScope, ResolvedItem, ResolveItem, Viewer } from './decision.js';
import type { ArtifactText, InboxItem, InboxPage, InboxQuery } from './inbox-types.js';

export type { ArtifactText, InboxItem, InboxPage, InboxQuery, InboxRow } from './inbox-types.js';

/** Which items `list` shows; every field given narrows the list. */
export interface ItemQuery {
  /** Absolute workspace directory. */
  readonly workspace: string;
  readonly kind: ItemKind | null;
  /** Full gate id. */
  readonly gate: string | null;
  /** Id of a review queue: items of the topologies that name it now; null or absent = of all. */
  readonly queue?: string | null;
  /** `pending`: what still waits; `all`: resolved, stale and withdrawn items too. */
  readonly show: 'pending' | 'all';
  /** 1..1000. */
  readonly limit: number;
  /** Goes on after this item; null = from the oldest. */
  readonly afterId: string | null;
  /** Only tasks of roles of whoever looks, and items that are not role tasks. Default false. */
  readonly isMine?: boolean;
  /** Who looks; null or absent: nobody in particular, and what is asked is not told. */
  readonly viewer?: Viewer | null;
}

/** A page of items, with what is asked of whoever looks. */
export interface ListedPage extends ItemPage {
  /** By item id; empty where nobody in particular looks. */
  readonly asked: ReadonlyMap<string, ReviewRequest>;
  /** What waits for people elsewhere, at most 100; empty where the query narrows the list. */
  readonly elsewhere: readonly GateElsewhere[];
}

/** A gate, with what is asked at it; null: nobody in particular looks. */
export interface AskedGate extends GateDetails {
  readonly asked: ReviewRequest | null;
}

/** One item with what it belongs to. */
export interface ItemDetails {
  /** Null: nobody in particular looks. */
  readonly asked: ReviewRequest | null;
  readonly item: ReviewItem;
  readonly job: Job;
  /** Null for an item that is not a role task. */
  readonly gate: GateDetails | null;
  /** What is decided about; null: nothing, or it was not asked for. */
  readonly artifact: ArtifactText | null;
}

/** Who would submit and who would decide, for `simulate`. */
export interface SimulateGate {
  readonly workspace: string;
  /** `name` or `name@version`. */
  readonly topology: string;
  readonly author: string;
  /** In the order in which they act. */
  readonly script: readonly {
    readonly identity: string;
    readonly outcome: 'approve' | 'reject' | 'changes_requested';
  }[];
}

/** One attempt of a simulation: what the same attempt would come to at the real gate. */
export interface SimulatedStep {
  readonly identity: string;
  readonly outcome: 'approve' | 'reject' | 'changes_requested';
  /** Null: this person could complete no task of the gate. */
  readonly role: string | null;
  readonly allowed: boolean;
  /** Why it was refused; '' when it was allowed. */
  readonly reason: string;
  /** Id of the task that opened again; null = none. */
  readonly reopened: string | null;
  /** The gate after the step. */
  readonly status: GateDetails['status'];
  readonly outstanding: readonly string[];
  readonly distinctApprovers: readonly string[];
}

/** A simulated gate of one agent of the topology. */
export interface SimulatedGate {
  readonly agentId: string;
  readonly funnelId: string;
  readonly steps: readonly SimulatedStep[];
  readonly status: GateDetails['status'];
  readonly outstanding: readonly string[];
  /** Why nobody can decide what is left; empty = somebody can. */
  readonly stuck: readonly string[];
}

/** Why a run or a gate stands where it stands. */
export interface WhyReport {
  readonly job: Job;
  /** Gates of the run that wait, oldest first; all of them for a run that waits for none. */
  readonly gates: readonly GateDetails[];
  /** Items that wait and are not role tasks. */
  readonly items: readonly ReviewItem[];
  /**
   * Sentences in the order in which they matter: what it waits for, who can act, what nobody can
   * do.
   */
  readonly reasons: readonly string[];
  /** The same as data: cause, who can act, the next command. */
  readonly situation: Situation;
  /** Where people of another system decide what it waits for; absent = nobody there is asked. */
  readonly gateElsewhere?: string;
  /** What is decided wakes the run; false = it goes on when it is resumed. */
  readonly autoResume: boolean;
  /** What the log says about it: the newest events that bear on it, at most 12, in order. */
  readonly facts: readonly StoredEvent[];
}

/**
 * Looking at gates and deciding them: what `kit review`, `kit why`, the inbox and later the HTTP
 * API stand on. Deadlines that are due are fired before anything is read or decided; roles are read
 * from the workspace's files at each decision.
 *
 * All throw KIT_WORKSPACE_NOT_FOUND. Those that name an item throw KIT_ITEM_UNKNOWN and
 * KIT_ITEM_AMBIGUOUS, those that name a gate KIT_GATE_UNKNOWN. Role files that cannot be read or
 * have an error are KIT_WORKSPACE_INVALID wherever roles are asked for.
 */
export interface ReviewApp {
  /** Items, oldest first. A workspace that never ran anything has none. */
  list(query: ItemQuery): Promise<ListedPage>;
  /**
   * What waits and is called so, for whoever looks: an item, or all of a run or a gate, by the id
   * or the beginning of it. Throws KIT_JOB_ID_AMBIGUOUS besides.
   */
  named(ask: { readonly workspace: string; readonly what: string; readonly viewer: Viewer }): Promise<ListedPage>;
  /** Ids of the roles of somebody, in the order of the registry. Throws KIT_WORKSPACE_INVALID. */
  rolesOf(ask: { readonly workspace: string; readonly identity: string }): Promise<readonly string[]>;
  /** Members of some role, each once. Throws KIT_WORKSPACE_INVALID. */
  people(ask: { readonly workspace: string }): Promise<readonly string[]>;
  /**
   * `isWhole`: with the whole input, however long it is. `withArtifact`: with the bytes that are
   * decided about; KIT_ARTIFACT_CORRUPT besides.
   */
  show(ask: {
    readonly workspace: string;
    readonly item: string;
    readonly viewer?: Viewer | null;
    readonly isWhole?: boolean;
    readonly withArtifact?: boolean;
  }): Promise<ItemDetails>;
  /**
   * The newest round of a gate. `author` stands in for the submitter, for display alone; null = the
   * submitter.
   */
  gate(ask: {
    readonly workspace: string;
    readonly gate: string;
    readonly author: string | null;
    readonly viewer?: Viewer | null;
    readonly isWhole?: boolean;
  }): Promise<AskedGate>;
  /**
   * Records a decision, or refuses it and records the attempt. Throws KIT_OUTCOME_INVALID and
   * KIT_COMMENT_MISSING before anything is written; KIT_APPROVAL_DENIED, KIT_ALREADY_DECIDED,
   * KIT_GATE_EXPIRED after the attempt is in the log.
   */
  resolve(decision: ResolveItem): Promise<ResolvedItem>;
  /**
   * The same for items that are not role tasks. Throws KIT_ROLE_TASK for one, KIT_OUTCOME_INVALID
   * for an answer that is none of the options.
   */
  answer(decision: AnswerItem): Promise<ResolvedItem>;
  /** Records an attempt at a role task that the entry point itself refused. */
  refusedByScope(attempt: RefusedByScope): Promise<void>;
  inbox(query: InboxQuery): Promise<InboxPage>;
  /** One item of it, with everything that a decision is made from. `item`: full id. */
  inboxItem(
    ask: Pick<InboxQuery, 'workspace' | 'identity' | 'auth' | 'refused'> & { readonly item: string },
  ): Promise<InboxItem>;
  /**
   * Throws KIT_TOPOLOGY_UNKNOWN, KIT_USAGE for a topology without a gate. Reads and writes no
   * store.
   */
  simulate(simulation: SimulateGate): Promise<readonly SimulatedGate[]>;
  /**
   * `what`: id or unique prefix of a run, or a gate id. Throws KIT_JOB_UNKNOWN,
   * KIT_JOB_ID_AMBIGUOUS besides. `identity`: who looks; where something waits for them, that is
   * what is next.
   */
  why(ask: { readonly workspace: string; readonly what: string; readonly identity?: string }): Promise<WhyReport>;
}
