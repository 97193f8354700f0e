import type {
  GateRound,
  GateStatus,
  RecordedDecision,
  ReviewItem,
  ReviewState,
  RoleDirectory,
} from '../../domain/gates.js';
import { hasExpired } from './admit.js';
import { authorsOf, type RunAuthor } from './authors.js';
import { foldGate, type GateFold, statusOf } from './fold.js';
import { type Author, authorOf } from './people.js';
import { isOpen, newestRound, tasksOfRound } from './rules.js';
import { type OpenTask, openTasks, signersOf, whyNeverApproved } from './stuck.js';

/** A decision that was recorded, of any round. */
export interface GateResolution
  extends Pick<RecordedDecision, 'itemId' | 'role' | 'scope' | 'round' | 'person' | 'assurance' | 'comment' | 'at'> {
  readonly status: GateStatus;
  readonly resolvedBy: string;
  /** It does not count: of an earlier round, or its task opened again. */
  readonly stale: boolean;
  readonly carriedFrom: number | null;
}

/** One round of the gate, the newest last. */
export type RoundReading = Pick<
  GateRound,
  'round' | 'activation' | 'status' | 'artifactRef' | 'sha256' | 'openedAt' | 'decidedAt'
>;

/**
 * A gate as CLI and HTTP show it (docs/design/decisions.md#wire), in camel case, and what a reader
 * needs to see why it waits.
 */
export interface GateReading extends Omit<GateRound, 'jobId' | 'parts'> {
  readonly runId: string;
  /**
   * False: there is no policy to evaluate, and the status is folded from the items (every one must
   * be approved).
   */
  readonly quorumEvaluated: boolean;
  readonly resolved: boolean;
  /** Tasks of the newest round, in the order of rules and roles. */
  readonly items: readonly ReviewItem[];
  readonly distinctApprovers: readonly string[];
  readonly minDistinctApprovers: number | null;
  /**
   * `<role> (<scope>)` that the gate still waits for: open tasks of rules that are not satisfied;
   * if only people are missing, every open task.
   */
  readonly outstanding: readonly string[];
  /**
   * Open tasks of the newest round, with the people who may complete them now and why nobody can.
   */
  readonly open: readonly OpenTask[];
  /**
   * Sentences: open tasks that nobody may complete, and what makes approval impossible. Empty:
   * nothing is stuck.
   */
  readonly stuck: readonly string[];
  readonly author: Author;
  /** Who submitted the runs that this one goes on from: authors as well. */
  readonly earlierAuthors: readonly RunAuthor[];
  /** The policy excludes the author, and nobody knows who that is. */
  readonly excludeAuthorUnapplied: boolean;
  /** All decisions of all rounds, in the order in which they were recorded. */
  readonly resolutions: readonly GateResolution[];
  readonly rounds: readonly RoundReading[];
  /** The automated layers gave up, or the clock handed it on. */
  readonly escalated: boolean;
  /** Rejected by the clock, or past its instant and about to be. */
  readonly expired: boolean;
  readonly registryDigest: string;
}

/** The newest round of a gate, by the registry as it is now; null for an unknown gate. */
export function gateReading(state: ReviewState, gateId: string, roles: RoleDirectory): GateReading | null {
  const gate = newestRound(state, gateId);
  if (gate === null) return null;
  const authors = authorsOf(state.job, roles);
  const [, ...earlierAuthors] = authors;
  const items = tasksOfRound(state.items, gate);
  const fold = foldGate(gate, state.decisions);
  const open = openTasks(state, gate, items, roles, authors);
  const quorumEvaluated = gate.policy.rules.length > 0;
  const status = quorumEvaluated ? gate.status : foldItems(items);
  return {
    ...frozenPart(gate),
    status,
    quorumEvaluated,
    resolved: status !== 'pending',
    items,
    distinctApprovers: fold.approvers,
    minDistinctApprovers: gate.policy.minDistinctApprovers,
    outstanding: outstandingOf(gate, fold, items),
    open,
    stuck: [
      ...open.flatMap((task) => (task.stuck === null ? [] : [`${task.itemId}: ${task.stuck}`])),
      ...whyNeverApproved(gate, fold, items, open, signersOf(gate, items, roles, authors)),
    ],
    author: authorOf(state.job.submittedBy, roles),
    earlierAuthors,
    excludeAuthorUnapplied: gate.policy.excludeAuthor && authors.some(({ identified }) => !identified),
    resolutions: state.decisions
      .filter((decision) => decision.gateId === gateId)
      .map((decision) => resolutionOf(decision, gate)),
    rounds: state.gates.filter((round) => round.gateId === gateId).map(roundOf),
    expired: hasExpired(gate, state.now),
    registryDigest: roles.digest,
  };
}

const frozenPart = ({ jobId: runId, parts: _ofRules, ...frozen }: GateRound) => ({
  ...frozen,
  runId,
  escalated: frozen.evidence.escalated || frozen.escalatedTo.length > 0,
});

/**
 * The reading of a gate without a policy (docs/design/execution.md#counting): correct for `quorum:
 * all` alone.
 */
function foldItems(items: readonly ReviewItem[]): GateStatus {
  if (items.some((item) => item.status === 'rejected')) return 'rejected';
  if (items.some((item) => item.status === 'changes-requested')) return 'changes-requested';
  return items.length > 0 && items.every((item) => item.status === 'approved') ? 'approved' : 'pending';
}

function outstandingOf(gate: GateRound, fold: GateFold, items: readonly ReviewItem[]): readonly string[] {
  if (gate.status !== 'pending' || gate.withdrawn) return [];
  const open = items.filter(isOpen);
  const needed = open.filter((task) => fold.rules[task.ruleIndex ?? -1]?.satisfied !== true);
  return (needed.length === 0 ? open : needed).map((task) => `${task.role} (${task.scope})`);
}

const resolutionOf = (decision: RecordedDecision, newest: GateRound): GateResolution => ({
  itemId: decision.itemId,
  role: decision.role,
  scope: decision.scope,
  round: decision.round,
  status: statusOf(decision.outcome),
  resolvedBy: decision.identity,
  person: decision.person,
  assurance: decision.assurance,
  comment: decision.comment,
  at: decision.at,
  stale: decision.stale || decision.round !== newest.round,
  carriedFrom: decision.carriedFrom,
});

const roundOf = (gate: GateRound): RoundReading => ({
  round: gate.round,
  activation: gate.activation,
  status: gate.status,
  artifactRef: gate.artifactRef,
  sha256: gate.sha256,
  openedAt: gate.openedAt,
  decidedAt: gate.decidedAt,
});
