import type {
  GateRound,
  Outcome,
  RecordedDecision,
  ReviewItem,
  ReviewState,
  RoleDirectory,
} from '../../domain/gates.js';
import { isTerminal } from '../../domain/job.js';
import { authorCalled, authorsOf } from './authors.js';
import { asksForAnother } from './has-signed.js';
import { holdsAnyRole, isMember, personOf, roleCalled } from './people.js';
import type { RefusalKind } from './refusals.js';
import { newestRound } from './rules.js';

/** Who wants to decide a role task, and how. */
export interface Candidate {
  readonly identity: string;
  readonly assurance: 'authenticated' | 'asserted';
  /** A server under `none`, or the CLI: nobody is authenticated. */
  readonly isUnauthenticated: boolean;
  readonly clientName?: string;
  /** As it was given: an attempt may name any outcome. */
  readonly outcome: string;
  readonly comment: string;
  readonly roles: RoleDirectory;
  /** Why nobody can see what is decided about; absent or null = everybody can. */
  readonly unreadable?: string | null;
}

/**
 * What the checks say: a row of the table of refusals, a decision that was made before, or the
 * round that it counts for.
 */
export type Admission =
  | { readonly verdict: 'refused'; readonly refusal: RefusalKind }
  | { readonly verdict: 'unchanged'; readonly gate: GateRound; readonly decision: RecordedDecision }
  | { readonly verdict: 'admitted'; readonly gate: GateRound; readonly outcome: Outcome };

/** Both spellings (docs/design/execution.md#admission); null for any other text. */
export function readOutcome(text: string): Outcome | null {
  if (text === 'changes-requested') return 'changes_requested';
  return text === 'approve' || text === 'reject' || text === 'changes_requested' ? text : null;
}

/**
 * The checks in their order (docs/design/execution.md#admission): what is asked, who may, what is
 * still open. Unknown items never come here.
 */
export function admit(state: ReviewState, item: ReviewItem, candidate: Candidate): Admission {
  const outcome = readOutcome(candidate.outcome);
  if (outcome === null) return no('outcome_unknown');
  if (outcome === 'changes_requested' && candidate.comment.trim() === '') return no('comment_missing');
  const person = personOf(candidate.roles, candidate.identity);
  const gate = state.gates.find((round) => round.gateId === item.gateId && round.round === item.round);
  if (!holdsAnyRole(candidate.roles, person)) return no('no_role');
  if (item.kind !== 'role_task' || gate === undefined) return no('no_role_task');
  const forbidden = whoMayNot(state, gate, item, candidate, person);
  if (forbidden !== null) return no(forbidden);
  const earlier = decisionOn(state, item);
  if (earlier !== null && earlier.person === person && earlier.outcome === outcome)
    return { verdict: 'unchanged', gate, decision: earlier };
  const closed = whyClosed(state, item, gate);
  if (closed !== null) return no(closed);
  return (candidate.unreadable ?? null) === null ? { verdict: 'admitted', gate, outcome } : no('unreadable');
}

const no = (refusal: RefusalKind): Admission => ({ verdict: 'refused', refusal });

function whoMayNot(
  state: ReviewState,
  gate: GateRound,
  item: ReviewItem,
  candidate: Candidate,
  person: string,
): RefusalKind | null {
  const { roles } = candidate;
  const role = roleCalled(roles, item.role ?? '');
  if (role === null) return 'role_unknown';
  if (!role.scopes.includes(item.scope ?? '')) return 'scope_not_conferred';
  if (!isMember(roles, role, person)) return 'not_a_member';
  if (gate.policy.excludeAuthor) {
    const authors = authorsOf(state.job, roles);
    const author = authorCalled(authors, roles, candidate.identity);
    if (author !== null) return author.jobId === state.job.id ? 'is_author' : 'is_earlier_author';
    if (
      authors.some(({ identified }) => !identified) &&
      candidate.assurance !== 'authenticated' &&
      !candidate.isUnauthenticated
    )
      return 'author_unidentified';
  }
  return item.status === 'pending' && asksForAnother(state, { gate, task: item, roles, person })
    ? 'signed_already'
    : null;
}

/** The decision that an item stands on; null while it is open. */
const decisionOn = (state: ReviewState, item: ReviewItem): RecordedDecision | null =>
  state.decisions.findLast((decision) => decision.itemId === item.id && !decision.stale) ?? null;

/** Why nothing can be decided about a role task any more; null when it can. */
function whyClosed(state: ReviewState, item: ReviewItem, gate: GateRound): RefusalKind | null {
  if (hasExpired(gate, state.now)) return 'gate_expired';
  if (item.status !== 'pending' || (gate.status !== 'pending' && !item.stale)) return 'decided';
  if (item.stale || gate.round < (newestRound(state, gate.gateId)?.round ?? 0)) return 'stale';
  if (item.withdrawn || gate.withdrawn) return 'withdrawn';
  return whyJobClosed(state);
}

/**
 * A stopped run takes no decisions until it is resumed (docs/design/decisions.md#stopped-gates), an
 * ended one takes none.
 */
export function whyJobClosed({ job }: ReviewState): 'run_stopped' | 'run_over' | null {
  if (job.status === 'stopped') return 'run_stopped';
  return isTerminal(job.status) ? 'run_over' : null;
}

/**
 * True when the time of the gate is over: it is past its instant and open, or it was rejected
 * because of that. People decide before the instant and never after it, so a decision at or after
 * it was the clock's.
 */
export function hasExpired(gate: GateRound, now: string): boolean {
  if (gate.expiresAt === null || gate.withdrawn) return false;
  const at = gate.status === 'pending' ? now : gate.decidedAt;
  return at !== null && Date.parse(at) >= Date.parse(gate.expiresAt);
}
