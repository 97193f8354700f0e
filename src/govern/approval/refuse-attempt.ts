import type { RunEvent } from '../../domain/events.js';
import type { ReviewItem, ReviewState, RoleDirectory } from '../../domain/gates.js';
import type { ReviewChange } from '../../domain/ports/reviews.js';
import { unchanged } from './change.js';
import { type Attempt, attemptEvent, type Pen } from './events.js';
import { personOf } from './people.js';
import { type Refused, refused } from './resolution.js';

/** Who tried what; the person is found out by the registry. */
export type Tried = Omit<Attempt, 'person'>;

/** The event of an attempt at a role task that was refused before anybody judged it. */
export function refusedAttempt(pen: Pen, item: ReviewItem, tried: Tried, why: Refused): RunEvent {
  const isItsRound = ({ gateId, round }: { readonly gateId: string; readonly round: number }): boolean =>
    gateId === item.gateId && round === item.round;
  const gate = pen.state.gates.find(isItsRound) ?? null;
  const attempt = { ...tried, person: personOf(tried.roles, tried.identity) };
  return attemptEvent(pen, attempt, { item, gate, refused: why, decision: null, reopened: null });
}

/** A registry that was not read, or could not be, names nobody. */
export const UNREAD_ROLES: RoleDirectory = { roles: [], identities: [], digest: '' };

/** Why no decision was asked about: `given` is the scope that was missing. */
export type EarlyRefusal =
  | { readonly kind: 'tier_too_low'; readonly scope: string }
  | { readonly kind: 'registry_broken' };

/**
 * An attempt that was refused without a look at the task. It leaves its record and changes nothing;
 * an item that is not a role task, or not there, leaves none.
 */
export function refuseAttempt(
  state: ReviewState,
  request: Omit<Tried, 'roles'> & {
    readonly itemId: string;
    readonly why: EarlyRefusal;
    readonly newId: () => string;
  },
): ReviewChange<null> {
  const { itemId, why, newId, ...tried } = request;
  const item = state.items.find(({ id }) => id === itemId);
  if (item?.kind !== 'role_task') return unchanged(null, []);
  const facts = {
    itemId,
    identity: tried.identity,
    role: item.role,
    scope: item.scope,
    given: why.kind === 'tier_too_low' ? why.scope : tried.outcome,
    job: state.job,
    status: item.status,
    decidedBy: item.resolvedBy,
    expiredAt: null,
    options: [],
  };
  const refusal = refused(why.kind, facts, item);
  return unchanged(null, [refusedAttempt({ state, newId }, item, { ...tried, roles: UNREAD_ROLES }, refusal)]);
}
