import { approversOf } from '../../domain/approvers.js';
import { KitError } from '../../domain/errors.js';
import type { DecisionSignature, ReviewItem, ReviewState, RoleDirectory } from '../../domain/gates.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Clock, Ids } from '../../domain/ports/system.js';
import { readOutcome } from '../../govern/approval/admit.js';
import { type AnswerRequest, answerItem } from '../../govern/approval/answer-item.js';
import { UNREAD_ROLES } from '../../govern/approval/refuse-attempt.js';
import type { Refused } from '../../govern/approval/resolution.js';
import { resolveItem } from '../../govern/approval/resolve-item.js';
import { countedIn } from '../../govern/harness/accrual.js';
import { registryText } from '../../govern/proof/seal.js';
import { shellWord } from '../../lib/shell-word.js';
import { proposeTrust } from '../trust/read-trust.js';
import type { AnswerItem, ResolvedItem, ResolveItem } from './decision.js';
import { namedItem, unknownItem } from './find-item.js';
import { fireDue } from './fire-due.js';
import { gateDetails } from './gate-details-of.js';
import { recordUnjudged } from './refused-attempts.js';
import { whyUnreadable } from './why-unreadable.js';

/** What recording a decision needs of the world. */
export interface DecideDeps {
  readonly stores: Stores;
  readonly ids: Pick<Ids, 'uuid'>;
  readonly readRoles: () => Promise<RoleDirectory>;
  /** Null: no key is there, and decisions are not signed. */
  readonly sign: ((body: string) => DecisionSignature) | null;
  /** Takes known secrets out of what was typed: what is signed and stored holds none. */
  readonly mask: (text: string) => string;
}

/** See `ReviewApp.resolve`. */
export async function decide(deps: DecideDeps, request: ResolveItem): Promise<ResolvedItem> {
  const { stores, ids } = deps;
  const named = await namedItem(stores.reviews, request);
  const { id, jobId } = named;
  // Who may sign counts at this instant; the registry lies beside the decisions made by it, for
  // whoever judges them later.
  const roles = await deps.readRoles().catch(async (cause: unknown) => {
    await recordUnjudged(deps, named, { ...request, comment: deps.mask(request.comment) });
    throw cause;
  });
  await stores.blobs.put(Buffer.from(registryText(roles), 'utf8'));
  await fireDue(deps, jobId);
  const unreadable = await whyUnreadable(stores, named);
  const { identity, outcome, auth } = request;
  const comment = deps.mask(request.comment);
  const changed = await stores.reviews.change(jobId, (state) =>
    resolveItem(state, {
      itemId: id,
      identity,
      outcome,
      comment,
      ...auth,
      roles,
      unreadable,
      newId: () => ids.uuid(),
      sign: deps.sign,
    }),
  );
  const { result, events, job } = changed;
  const state = await stateOf(stores, jobId);
  if (result.kind === 'refused') throw refusal(withWhoMay(result, state, roles, verdictWords(outcome, comment)), jobId);
  const { item, gate, decision, unchanged, reopened } = result;
  return {
    item,
    gate: gateDetails(state, gate.gateId, roles),
    decision,
    unchanged,
    reopened,
    proposed: [],
    job,
    seq: lastSeq(events),
  };
}

/** See `ReviewApp.answer`. */
export async function answer(
  deps: Pick<DecideDeps, 'stores' | 'ids' | 'mask' | 'readRoles'> & { readonly clock: Clock },
  request: AnswerItem,
): Promise<ResolvedItem> {
  const { stores, ids } = deps;
  const asked = await namedItem(stores.reviews, request);
  const { id, jobId } = asked;
  // Asked for where it counts alone: a registry with a mistake keeps nobody from answering a
  // question.
  const named =
    approversOf(asked).length > 0
      ? { roles: await deps.readRoles() }
      : countedIn(asked.details) === null
        ? {}
        : { roles: await deps.readRoles().catch(() => UNREAD_ROLES) };
  await fireDue(deps, jobId);
  const attempt = asked.kind === 'role_task' ? await attemptOf(deps, request) : {};
  const { action, identity } = request;
  const comment = deps.mask(request.comment);
  const said = request.input === undefined ? request.answer : inputText(request, asked);
  const given = said === null ? null : deps.mask(said);
  const { result, events, job } = await stores.reviews.change(jobId, (state) =>
    answerItem(state, {
      itemId: id,
      action,
      answer: given,
      comment,
      identity,
      ...(request.auth.clientName === undefined ? {} : { clientName: request.auth.clientName }),
      ...named,
      ...attempt,
      newId: () => ids.uuid(),
    }),
  );
  if (result.kind === 'refused') throw refusal(withWhereToLook(result), jobId);
  const isCounted = events.some(({ type }) => type === 'trust.counted');
  const proposed = isCounted ? await proposeTrust(deps, events) : [];
  return {
    item: result.item,
    gate: null,
    decision: null,
    unchanged: result.unchanged,
    reopened: null,
    proposed,
    job,
    seq: lastSeq(events),
  };
}

/** The other input, where the call takes one. Throws KIT_OUTCOME_INVALID. */
function inputText({ action, input }: AnswerItem, { id, kind, details }: ReviewItem): string {
  const isExact =
    typeof details === 'object' && details !== null && 'exactness' in details && details.exactness === 'exact';
  if (action === 'approve' && kind === 'permission' && isExact) return JSON.stringify(input);
  throw new KitError('KIT_OUTCOME_INVALID', `${id} cannot be approved with another input`, {
    hint:
      kind === 'permission' && !isExact
        ? 'Its program asks for the call again by itself: reject it, and say with --comment what it should do.'
        : 'Only a permission for one call has an input.',
  });
}

/**
 * What the log says of an attempt at a role task of somebody who is authenticated: whoever is not
 * has no name to record. A registry with a mistake names no person.
 */
async function attemptOf(
  { readRoles }: Pick<DecideDeps, 'readRoles'>,
  { auth }: AnswerItem,
): Promise<Pick<AnswerRequest, 'attempt'>> {
  const { assurance, clientName } = auth;
  if (assurance !== 'authenticated') return {};
  const roles = await readRoles().catch(() => UNREAD_ROLES);
  return { attempt: { assurance, roles, ...(clientName === undefined ? {} : { clientName }) } };
}

/** A comment that is longer, or has several lines, fits in no line that is pasted. */
const PASTED_COMMENT = /^[^\p{Cc}`]{0,300}$/u;

/**
 * The verdict that was asked for, as a flag of `kit review resolve` without its hyphens, and its
 * comment; null: no line can hold it.
 */
function verdictWords(asked: string, comment: string): string | null {
  const outcome = readOutcome(asked);
  if (outcome === null) return null;
  if (outcome === 'approve') return outcome;
  if (!PASTED_COMMENT.test(comment)) return null;
  const said = comment.trim() === '' ? '' : ` --comment ${shellWord(comment)}`;
  return `${outcome === 'reject' ? outcome : 'changes-requested'}${said}`;
}

/**
 * Who is refused is told who could decide instead, or where to look: what to type next. `verdict`:
 * the one that was refused, so that no line decides anything else.
 */
function withWhoMay(refused: Refused, state: ReviewState, roles: RoleDirectory, verdict: string | null): Refused {
  const { code, item } = refused;
  if (item === null || item.gateId === null) return refused;
  if (code === 'KIT_ALREADY_DECIDED') return withWhereToLook(refused);
  if (code !== 'KIT_APPROVAL_DENIED') return refused;
  const [first, ...others] =
    gateDetails(state, item.gateId, roles)?.actors.find((actor) => actor.itemId === item.id)?.members ?? [];
  if (first === undefined) return refused;
  const names = [first, ...others.slice(0, 2)].join(' or ');
  const hint =
    verdict === null ? `${names} can` : `${names} can: kit review resolve ${item.id} --as ${first} --${verdict}`;
  return { ...refused, hint };
}

/** What is decided already is looked at: its gate, or the item where it has none. */
function withWhereToLook(refused: Refused): Refused {
  const { code, item, hint } = refused;
  if (code !== 'KIT_ALREADY_DECIDED' || item === null || hint !== null) return refused;
  const look = item.gateId === null ? `\`kit review show ${item.id}\`` : `\`kit review gate ${item.gateId}\``;
  return { ...refused, hint: `Run ${look} to see how it stands.` };
}

const lastSeq = (events: readonly { readonly seq: number }[]): number =>
  events.reduce((last, event) => Math.max(last, event.seq), 0);

/** One table of refusals for every entry point: code, sentence and hint are the engine's. */
function refusal({ code, message, hint, reason, item }: Refused, jobId: string): KitError {
  return new KitError(code, message, {
    ...(hint === null ? {} : { hint }),
    data: { reason, item_id: item?.id ?? null, gate_id: item?.gateId ?? null, run_id: jobId },
  });
}

/** Throws KIT_ITEM_UNKNOWN for a job whose row is gone. */
export async function stateOf(stores: Pick<Stores, 'reviews'>, jobId: string): Promise<ReviewState> {
  const state = await stores.reviews.state(jobId);
  if (state === null) throw unknownItem(jobId);
  return state;
}
