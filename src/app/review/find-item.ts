import { ERROR_REGISTRY } from '../../domain/error-registry.js';
import { KitError } from '../../domain/errors.js';
import type { GateRound, ReviewItem } from '../../domain/gates.js';
import type { ReviewStore } from '../../domain/ports/reviews.js';
import { hintFor } from '../../lib/nearest.js';

/** How many candidates an ambiguous id lists. */
const SHOWN = 6;
/** What waits longest is compared with a name that is not there. */
const COMPARED = 100;

/**
 * An item by its id or a unique prefix of it.
 *
 * Throws KIT_ITEM_UNKNOWN, or KIT_ITEM_AMBIGUOUS naming the candidates.
 */
export async function findItem(reviews: ReviewStore, idOrPrefix: string): Promise<ReviewItem> {
  const exact = await reviews.item(idOrPrefix);
  if (exact !== null) return exact;
  const candidates = idOrPrefix === '' ? [] : await reviews.itemIds(idOrPrefix, SHOWN);
  const [first, second] = candidates;
  if (first === undefined) throw unknownItem(idOrPrefix, await pendingIds(reviews));
  if (second !== undefined)
    throw new KitError(
      'KIT_ITEM_AMBIGUOUS',
      `${idOrPrefix} fits several items: ${candidates.join(', ')}${candidates.length < SHOWN ? '' : ', …'}`,
      {
        data: { candidates: [...candidates] },
      },
    );
  const item = await reviews.item(first);
  if (item === null) throw unknownItem(idOrPrefix);
  return item;
}

/** How a decision names its item. */
export interface ItemName {
  /** Id, or a unique prefix unless `isWholeId`. */
  readonly item: string;
  /** Over HTTP: nobody decides by guessing how an id begins. Default false. */
  readonly isWholeId?: boolean;
}

/** The item of a decision. Throws as `findItem` does; an id that is whole fits one item or none. */
export async function namedItem(
  reviews: ReviewStore,
  { item: name, isWholeId = false }: ItemName,
): Promise<ReviewItem> {
  if (!isWholeId) return findItem(reviews, name);
  const item = await reviews.item(name);
  if (item === null) throw unknownItem(name);
  return item;
}

async function pendingIds(reviews: ReviewStore): Promise<readonly string[]> {
  return (await reviews.items({ show: 'pending', limit: COMPARED })).items.map((item) => item.id);
}

/** `known`: items that it may have been meant for; [] = there are none. */
export const unknownItem = (id: string, known: readonly string[] = []): KitError =>
  new KitError('KIT_ITEM_UNKNOWN', `there is no review item ${id}`, {
    hint: hintFor(id, known, { fallback: ERROR_REGISTRY.KIT_ITEM_UNKNOWN.hint }),
    data: { item_id: id },
  });

/** `known`: gates that it may have been meant for; [] = there are none. */
export const unknownGate = (id: string, known: readonly string[] = []): KitError =>
  new KitError('KIT_GATE_UNKNOWN', `there is no gate ${id}`, {
    hint: hintFor(id, known, { fallback: ERROR_REGISTRY.KIT_GATE_UNKNOWN.hint }),
    data: { gate_id: id },
  });

/** The newest round of a gate. Throws KIT_GATE_UNKNOWN. */
export async function findGate(reviews: ReviewStore, gateId: string): Promise<GateRound> {
  const gate = await reviews.gate(gateId);
  if (gate === null)
    throw unknownGate(
      gateId,
      (await reviews.openGates({ limit: COMPARED })).map((open) => open.gateId),
    );
  return gate;
}
