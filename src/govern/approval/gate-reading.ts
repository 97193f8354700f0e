import type {
  ApprovalPolicy,
  GateEvidence,
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
export interface GateResolution {
  readonly itemId: string;
  readonly role: string;
  readonly scope: string;
  readonly round: number;
  readonly status: GateStatus;
  readonly resolvedBy: string;
  readonly person: string;
  readonly assurance: 'authenticated' | 'asserted';
  readonly comment: string;
  readonly at: string;
  /** It does not count: of an earlier round, or its task opened again. */
  readonly stale: boolean;
  readonly carriedFrom: number | null;
}

/** One round of the gate, the newest last. */
export interface RoundReading {
  readonly round: number;
  readonly activation: string;
  readonly status: GateStatus;
  readonly artifactRef: string;
  readonly sha256: string;
  readonly openedAt: string;
  readonly decidedAt: string | null;
}

/**
 * A gate as every door shows it (docs/design/decisions.md#wire), in camel case, and what a reader
 * needs to see why it waits.
 */
export interface GateReading {
  readonly gateId: string;
  readonly status: GateStatus;
  /**
   * False: there is no policy to evaluate, and the status is folded from the items (every one must
   * be approved).
   */
  readonly quorumEvaluated: boolean;
  readonly resolved: boolean;
  readonly artifactRef: string;
  readonly sha256: string;
  readonly mediaType: string;
  /** Tasks of the newest round, in the order of rules and roles. */
  readonly items: readonly ReviewItem[];
  readonly funnelId: string;
  readonly runId: string;
  readonly topologyId: string;
  readonly agentId: string;
  readonly activation: string;
  readonly round: number;
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
  readonly evidence: GateEvidence;
  /** The automated layers gave up, or the clock handed it on. */
  readonly escalated: boolean;
  readonly escalatedTo: readonly string[];
  readonly withdrawn: boolean;
  /** Rejected by the clock, or past its instant and about to be. */
  readonly expired: boolean;
  readonly openedAt: string;
  readonly expiresAt: string | null;
  readonly remindAt: string | null;
  readonly decidedAt: string | null;
  readonly policy: ApprovalPolicy;
  readonly policyDigest: string;
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

const frozenPart = (gate: GateRound) => ({
  gateId: gate.gateId,
  artifactRef: gate.artifactRef,
  sha256: gate.sha256,
  mediaType: gate.mediaType,
  funnelId: gate.funnelId,
  runId: gate.jobId,
  topologyId: gate.topologyId,
  agentId: gate.agentId,
  activation: gate.activation,
  round: gate.round,
  evidence: gate.evidence,
  escalated: gate.evidence.escalated || gate.escalatedTo.length > 0,
  escalatedTo: gate.escalatedTo,
  withdrawn: gate.withdrawn,
  openedAt: gate.openedAt,
  expiresAt: gate.expiresAt,
  remindAt: gate.remindAt,
  decidedAt: gate.decidedAt,
  policy: gate.policy,
  policyDigest: gate.policyDigest,
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
