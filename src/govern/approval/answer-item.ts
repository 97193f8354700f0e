import { approversOf } from '../../domain/approvers.js';
import type { RunEvent } from '../../domain/events.js';
import type { GateStatus, ReviewItem, ReviewState } from '../../domain/gates.js';
import { ITEM_ACTIONS } from '../../domain/item-actions.js';
import type { ReviewChange } from '../../domain/ports/reviews.js';
import { countedIn } from '../harness/accrual.js';
import { whyJobClosed } from './admit.js';
import { approvingPeople, type People } from './approvers.js';
import { unchanged } from './change.js';
import { type Attempt, countedEvent, type Pen, settledEvent, wakeEvent } from './events.js';
import { isSamePerson, personOf } from './people.js';
import type { RefusalFacts, RefusalKind } from './refusals.js';
import { refusedAttempt } from './refuse-attempt.js';
import { type AnswerResolution, refused } from './resolution.js';

/** How somebody settles an item that is not a role task. */
export interface AnswerRequest {
  readonly itemId: string;
  readonly action: 'approve' | 'reject' | 'answer';
  /**
   * With `answer`: text, or the number of an option from 0. With `approve` of a permission: the
   * input, as JSON, that its call is made with instead of its own; null = its own.
   */
  readonly answer: string | null;
  readonly comment: string;
  /** For the log: the item names nobody. */
  readonly identity: string;
  /** What the entry point calls the identity; absent: it knows no name. */
  readonly clientName?: string;
  /**
   * Who is who, where the item leaves its answer to somebody. Default: every name is the person of
   * that name.
   */
  readonly roles?: People;
  /**
   * Who tries at a role task, which is refused and recorded like any other attempt at one; absent:
   * nobody who is authenticated, and the attempt is refused alone.
   */
  readonly attempt?: Pick<Attempt, 'assurance' | 'clientName' | 'roles'>;
  readonly newId: () => string;
}

/**
 * Settles a permission, a question or another item. A permission is approved or rejected, a
 * question is answered or rejected, any other item takes all three. An answer is the text of an
 * option, the number of one (from 0), or any text where that is allowed; the item becomes
 * `approved` with it. Settling it the same way again is not an error. A role task is refused: it
 * wants a person's name. A permission that names approvers is answered by one of them alone,
 * whether they allow it or not.
 */
export function answerItem(state: ReviewState, request: AnswerRequest): ReviewChange<AnswerResolution> {
  const item = state.items.find((candidate) => candidate.id === request.itemId);
  const refuse = (kind: RefusalKind) =>
    unchanged<AnswerResolution>(refused(kind, factsOf(state, request, item ?? null), item ?? null), []);
  if (item === undefined) return refuse('item_unknown');
  if (item.kind === 'role_task') return refusedTask(state, request, item);
  if (!ITEM_ACTIONS[item.kind].includes(request.action)) return refuse('action_unfit');
  if (!mayAnswer(item, request)) return refuse('no_approver');
  const isEdited = request.action === 'approve' && item.kind === 'permission';
  const answer =
    request.action === 'answer' ? readAnswer(item, request.answer ?? '') : isEdited ? request.answer : null;
  if (request.action === 'answer' && answer === null) return refuse('answer_unfit');
  const status: GateStatus = request.action === 'reject' ? 'rejected' : 'approved';
  if (item.status === status && item.answer === answer)
    return unchanged<AnswerResolution>({ kind: 'settled', item, unchanged: true }, []);
  const closed = whyClosed(state, item);
  if (closed !== null) return refuse(closed);
  const { identity: by, clientName, comment } = request;
  const settled: ReviewItem = { ...item, status, answer, resolvedBy: by, comment, resolvedAt: state.now };
  const pen = { state, newId: request.newId };
  const decider = { by, ...(clientName === undefined ? {} : { clientName }), comment };
  return {
    result: { kind: 'settled', item: settled, unchanged: false },
    gates: [],
    items: [settled],
    decisions: [],
    events: [settledEvent(pen, settled, request.action, decider), ...counted(pen, settled, request)],
    wake: wakeEvent(pen, decider),
  };
}

/**
 * What the decision counts for among the approvals of such calls. Whose run it is says yes to their
 * own wish: that counts for nothing.
 */
function counted(pen: Pen, item: ReviewItem, { identity, roles = NOBODY_LISTED }: AnswerRequest): readonly RunEvent[] {
  const capability = item.kind === 'permission' ? countedIn(item.details) : null;
  if (capability === null) return [];
  const { job } = pen.state;
  const authors = [job.submittedBy, ...job.earlier.map((one) => one.submittedBy)];
  const isOwn = authors.some((author) => isSamePerson(roles, author.identity, identity));
  // Nor does a yes to another call than the one that was asked about.
  if (item.status === 'approved' && (isOwn || item.answer !== null)) return [];
  return [countedEvent(pen, item, { capability, by: identity })];
}

/** A role task wants another route, and what was tried at it stands in the log. */
function refusedTask(state: ReviewState, request: AnswerRequest, item: ReviewItem): ReviewChange<AnswerResolution> {
  const { attempt, identity, action: outcome, comment, newId } = request;
  const why = refused('role_task', factsOf(state, request, item), item);
  if (attempt === undefined) return unchanged<AnswerResolution>(why, []);
  const tried = { ...attempt, identity, outcome, comment };
  return unchanged<AnswerResolution>(why, [refusedAttempt({ state, newId }, item, tried, why)]);
}

const NOBODY_LISTED: People = { roles: [], identities: [] };

function mayAnswer(item: ReviewItem, { roles = NOBODY_LISTED, identity }: AnswerRequest): boolean {
  const approvers = approversOf(item);
  return approvers.length === 0 || approvingPeople(roles, approvers).includes(personOf(roles, identity));
}

/**
 * The answer as the run gets it; null when it does not fit. The text of an option comes before its
 * number.
 */
function readAnswer(item: ReviewItem, text: string): string | null {
  if (text.trim() === '') return null;
  if (item.options.includes(text)) return text;
  const chosen = /^\d+$/.test(text) ? item.options[Number(text)] : undefined;
  return chosen ?? (item.freeTextAllowed ? text : null);
}

function whyClosed(state: ReviewState, item: ReviewItem): RefusalKind | null {
  if (item.status !== 'pending') return 'decided';
  if (item.stale) return 'stale';
  return item.withdrawn ? 'withdrawn' : whyJobClosed(state);
}

const factsOf = (state: ReviewState, request: AnswerRequest, item: ReviewItem | null): RefusalFacts => ({
  itemId: request.itemId,
  identity: request.identity,
  role: item?.role ?? null,
  scope: item?.scope ?? null,
  given: request.action === 'answer' ? (request.answer ?? '') : request.action,
  job: state.job,
  status: item?.status ?? '',
  decidedBy: item?.resolvedBy ?? '',
  expiredAt: null,
  options: item?.options ?? [],
  approvers: item === null ? [] : approversOf(item),
});
