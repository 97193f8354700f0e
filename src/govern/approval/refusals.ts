import type { ErrorCode } from '../../domain/error-registry.js';
import type { ReviewItem } from '../../domain/gates.js';

/** What the sentences of the table speak of; '' or null where a case has no such thing. */
export interface RefusalFacts {
  readonly itemId: string;
  readonly identity: string;
  readonly role: string | null;
  readonly scope: string | null;
  /** The outcome, action or answer as it was given. */
  readonly given: string;
  readonly job: { readonly id: string; readonly status: string };
  /** What the item or its gate has become. */
  readonly status: string;
  /** Who made it so; '' or absent = nobody has. */
  readonly decidedBy?: string;
  readonly expiredAt: string | null;
  readonly options: readonly string[];
  /** To whom the answer of a permission is left. */
  readonly approvers?: readonly string[];
  /** The run before this one that the identity submitted; absent or null = none. */
  readonly earlierRun?: string | null;
  /** The open task of the newest round that took the place of this one; absent or null = none. */
  readonly newerItem?: string | null;
  /** Tasks of the same round that nobody has decided yet; absent = none. */
  readonly openTasks?: readonly Pick<ReviewItem, 'id' | 'role' | 'gateId'>[];
  /** Why nobody can see what is decided about. */
  readonly unreadable?: string | null;
}

interface RefusalRow {
  /** Its HTTP status and exit code stand in the error registry. */
  readonly code: ErrorCode;
  /** A clause that stands alone; the audit record holds it as `reason`. */
  readonly reason: (facts: RefusalFacts) => string;
  /** What to do; null = the default of the code. */
  readonly hint: ((facts: RefusalFacts) => string | null) | null;
}

/** Why an attempt to decide or answer was refused. */
export type RefusalKind =
  | 'item_unknown'
  | 'outcome_unknown'
  | 'comment_missing'
  | 'action_unfit'
  | 'answer_unfit'
  | 'no_role'
  | 'no_role_task'
  | 'role_unknown'
  | 'scope_not_conferred'
  | 'not_a_member'
  | 'is_author'
  | 'is_earlier_author'
  | 'author_unidentified'
  | 'signed_already'
  | 'no_approver'
  | 'role_task'
  | 'gate_expired'
  | 'decided'
  | 'stale'
  | 'withdrawn'
  | 'run_stopped'
  | 'run_over'
  | 'unreadable'
  | 'tier_too_low'
  | 'registry_broken';

/**
 * The one table of refusals at gates, in the order in which they are checked: 404, 422, 403, 409
 * (docs/design/execution.md#admission); a generic action on a role task comes before its 422. Every
 * entry point shows these sentences and no others.
 */
export const REFUSALS: Readonly<Record<RefusalKind, RefusalRow>> = {
  item_unknown: { code: 'KIT_ITEM_UNKNOWN', reason: (facts) => `there is no review item ${facts.itemId}`, hint: null },
  outcome_unknown: {
    code: 'KIT_OUTCOME_INVALID',
    reason: (facts) => `${quoted(facts.given)} is not an outcome`,
    hint: null,
  },
  comment_missing: { code: 'KIT_COMMENT_MISSING', reason: () => 'changes are requested without a comment', hint: null },
  action_unfit: {
    code: 'KIT_OUTCOME_INVALID',
    reason: (facts) => `this item does not take ${quoted(facts.given)}`,
    hint: () => 'Approve or reject a permission; answer a question.',
  },
  answer_unfit: {
    code: 'KIT_OUTCOME_INVALID',
    reason: (facts) =>
      facts.given.trim() === ''
        ? '`answer` is empty'
        : facts.options.length === 0
          ? 'this item takes no text'
          : `${quoted(facts.given)} is none of the options`,
    hint: (facts) =>
      facts.options.length === 0
        ? facts.given.trim() === ''
          ? 'Write it as `answer`.'
          : 'Approve or reject it; your words go into --comment.'
        : `Answer with the text or the number of an option: ${facts.options.map((text, at) => `${at} ${text}`).join(', ')}. Your own words go into --comment.`,
  },
  no_role: {
    code: 'KIT_APPROVAL_DENIED',
    reason: (facts) => `${quoted(facts.identity)} is in no role of the role registry`,
    hint: null,
  },
  no_role_task: {
    code: 'KIT_APPROVAL_DENIED',
    reason: () => 'the item is not a role task',
    hint: () => 'Use `kit review approve`, `reject` or `answer` for it.',
  },
  role_unknown: {
    code: 'KIT_APPROVAL_DENIED',
    reason: (facts) => `no role registry defines the role ${quoted(facts.role ?? '')}`,
    hint: null,
  },
  scope_not_conferred: {
    code: 'KIT_APPROVAL_DENIED',
    reason: (facts) => `the role ${quoted(facts.role ?? '')} does not confer the scope ${quoted(facts.scope ?? '')}`,
    hint: null,
  },
  not_a_member: {
    code: 'KIT_APPROVAL_DENIED',
    reason: (facts) => `${quoted(facts.identity)} is not a member of the role ${quoted(facts.role ?? '')}`,
    hint: null,
  },
  is_author: {
    code: 'KIT_APPROVAL_DENIED',
    reason: (facts) => `${quoted(facts.identity)} submitted the run, and the policy excludes its author`,
    hint: () => 'Ask another member of the role.',
  },
  is_earlier_author: {
    code: 'KIT_APPROVAL_DENIED',
    reason: ({ identity, job, earlierRun }) =>
      earlierRun === ''
        ? `another system asked for run ${job.id} in the name of ${quoted(identity)}, and the policy excludes its author`
        : `${quoted(identity)} submitted run ${earlierRun ?? ''}, which run ${job.id} goes on from, and the policy excludes its author`,
    hint: () => 'Ask another member of the role.',
  },
  author_unidentified: {
    code: 'KIT_APPROVAL_DENIED',
    reason: () => 'the author of the run is not identified, so only an authenticated identity counts',
    hint: () => 'Decide as an authenticated identity, or submit the run again with --as <identity>.',
  },
  signed_already: {
    code: 'KIT_APPROVAL_DENIED',
    reason: (facts) => `${quoted(facts.identity)} has signed this round already, and the task asks for another person`,
    hint: () => 'Ask a member of the role who has not signed this round.',
  },
  no_approver: {
    code: 'KIT_APPROVAL_DENIED',
    reason: ({ approvers = [] }) => `the policy leaves it to ${approvers.map(quoted).join(' or ')}`,
    hint: ({ itemId, given }) =>
      `Answer as one of them: kit review ${given === 'reject' ? 'reject' : 'approve'} ${itemId} --as <identity>`,
  },
  role_task: {
    code: 'KIT_ROLE_TASK',
    reason: (facts) => `the item is a task of the role ${quoted(facts.role ?? '')}`,
    hint: (facts) => `Decide it with \`kit review resolve ${facts.itemId} --as <identity>\`.`,
  },
  gate_expired: {
    code: 'KIT_GATE_EXPIRED',
    reason: (facts) =>
      `the gate was not decided in time${facts.expiredAt === null ? '' : `: it expired at ${facts.expiredAt}`}`,
    hint: null,
  },
  decided: {
    code: 'KIT_ALREADY_DECIDED',
    reason: ({ status, decidedBy = '' }) => `it is ${status} already${decidedBy === '' ? '' : `, by ${decidedBy}`}`,
    hint: (facts) => newestHint(facts) ?? openHint(facts) ?? null,
  },
  stale: {
    code: 'KIT_ALREADY_DECIDED',
    reason: () => 'it belongs to an earlier round',
    hint: (facts) => newestHint(facts) ?? 'Decide the task of the newest round.',
  },
  withdrawn: { code: 'KIT_ALREADY_DECIDED', reason: () => 'it was withdrawn', hint: null },
  run_stopped: {
    code: 'KIT_ALREADY_DECIDED',
    reason: (facts) => `run ${facts.job.id} is stopped`,
    hint: (facts) => `Resume it with \`kit run --resume=${facts.job.id}\`, then decide.`,
  },
  run_over: {
    code: 'KIT_ALREADY_DECIDED',
    reason: (facts) => `run ${facts.job.id} has ended: it is ${facts.job.status}`,
    hint: null,
  },
  unreadable: {
    code: 'KIT_ARTIFACT_CORRUPT',
    reason: ({ unreadable }) => `${unreadable ?? 'its bytes cannot be read'}; nothing is recorded`,
    hint: ({ job }) => `Restore the store from a backup and decide then, or give the run up: kit stop ${job.id}`,
  },
  tier_too_low: {
    code: 'KIT_SCOPE_MISSING',
    reason: ({ identity, given }) => `${quoted(identity)} lacks the scope ${given}`,
    hint: null,
  },
  registry_broken: {
    code: 'KIT_WORKSPACE_INVALID',
    reason: () => 'the role registry of the workspace has a mistake',
    hint: null,
  },
};

function newestHint({ newerItem }: RefusalFacts): string | null {
  return newerItem == null ? null : `Decide the task of the newest round: ${newerItem}`;
}

/** Whoever comes second in a role is told whom the gate still waits for. */
function openHint({ openTasks = [] }: RefusalFacts): string | undefined {
  const waits = openTasks.map(({ id, role }) => `the role ${quoted(role ?? '')} (${id})`).join(' and ');
  const [first] = openTasks;
  return first && `The gate still waits for ${waits}. Run \`kit review gate ${first.gateId}\` to see how it stands.`;
}

/** The sentence for people: who wanted what of which item, and why not. */
export function refusalMessage(kind: RefusalKind, facts: RefusalFacts): string {
  const { code, reason } = REFUSALS[kind];
  if (code === 'KIT_ITEM_UNKNOWN') return reason(facts);
  if (code === 'KIT_APPROVAL_DENIED')
    return `${quoted(facts.identity)} may not decide ${facts.itemId}: ${reason(facts)}`;
  return `${facts.itemId} cannot be decided so: ${reason(facts)}`;
}

const quoted = (text: string): string =>
  JSON.stringify(text.length > MAX_QUOTED ? `${text.slice(0, MAX_QUOTED)}…` : text);

/** A name or outcome is short; what is longer is somebody's mistake, and no log needs all of it. */
const MAX_QUOTED = 200;
