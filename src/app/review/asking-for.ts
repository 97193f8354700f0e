import type { ReviewItem } from '../../domain/gates.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { ReviewRequest } from '../../view/asked.js';
import { Asking } from './asking.js';
import type { Viewer } from './decision.js';
import type { ReviewDeps } from './deps.js';
import { roundOf, statesOf } from './review-states.js';
import { rolesToShow, type ShownRoles } from './roles-to-show.js';

/** Whose view of what, and where it lies. */
export interface AskingFor {
  readonly workspace: string;
  readonly stores: Stores;
  readonly viewer: Viewer;
  /** Absent: read now. */
  readonly shown?: ShownRoles;
}

/** Views of what is asked, as one person has them of one workspace. */
export async function askingFor(
  deps: Pick<ReviewDeps, 'maskOf' | 'readRoles'>,
  { workspace, stores, viewer, shown }: AskingFor,
): Promise<Asking> {
  const [mask, registry] = await Promise.all([
    deps.maskOf(workspace),
    shown ?? rolesToShow(() => deps.readRoles(workspace)),
  ]);
  return new Asking({ stores, ...registry, mask }, viewer);
}

/** By item id; items whose run is gone are not in it. */
export async function askedOfItems(
  stores: Stores,
  asking: Asking,
  items: readonly ReviewItem[],
): Promise<ReadonlyMap<string, ReviewRequest>> {
  const states = await statesOf(stores, items);
  const asked = new Map<string, ReviewRequest>();
  for (const item of items) {
    const state = states.get(item.jobId);
    const one = state === undefined ? null : await asking.inList({ state, item, round: roundOf(state, item) });
    if (one !== null) asked.set(item.id, one);
  }
  return asked;
}
