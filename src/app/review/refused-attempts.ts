import type { Stores } from '../../domain/ports/stores.js';
import type { Ids } from '../../domain/ports/system.js';
import { refuseAttempt } from '../../govern/approval/refuse-attempt.js';
import type { RefusedByScope, ResolveItem } from './decision.js';

/** What a record needs of the world. */
interface RecordDeps {
  readonly stores: Pick<Stores, 'reviews'>;
  readonly ids: Pick<Ids, 'uuid'>;
}

/**
 * See `ReviewApp.refusedByScope`: an item that is not there, or is not a role task, leaves no
 * record.
 */
export async function recordRefusedByScope({ stores, ids }: RecordDeps, attempt: RefusedByScope): Promise<void> {
  const item = await stores.reviews.item(attempt.item);
  if (item === null) return;
  const { identity, auth, action: outcome, scope } = attempt;
  await stores.reviews.change(item.jobId, (state) =>
    refuseAttempt(state, {
      itemId: item.id,
      why: { kind: 'tier_too_low', scope },
      identity,
      ...auth,
      outcome,
      comment: '',
      newId: () => ids.uuid(),
    }),
  );
}

/**
 * A decision that nobody could judge, because the registry has a mistake. Whoever is not
 * authenticated has no name to record.
 */
export async function recordUnjudged(
  { stores, ids }: RecordDeps,
  item: { readonly id: string; readonly jobId: string },
  { identity, auth, outcome, comment }: Pick<ResolveItem, 'identity' | 'auth' | 'outcome' | 'comment'>,
): Promise<void> {
  if (auth.assurance !== 'authenticated') return;
  const why = { kind: 'registry_broken' } as const;
  await stores.reviews.change(item.jobId, (state) =>
    refuseAttempt(state, { itemId: item.id, why, identity, ...auth, outcome, comment, newId: () => ids.uuid() }),
  );
}
