import { KitError } from '../../domain/errors.js';
import type { GateRound, ReviewItem } from '../../domain/gates.js';
import type { ReviewStore } from '../../domain/ports/reviews.js';

/** How many candidates an ambiguous id lists. */
const SHOWN = 6;

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
  if (first === undefined) throw unknownItem(idOrPrefix);
  if (second !== undefined)
    throw new KitError('KIT_ITEM_AMBIGUOUS', `${idOrPrefix} fits several items: ${candidates.join(', ')}${candidates.length < SHOWN ? '' : ', …'}`, {
      data: { candidates: [...candidates] },
    });
  const item = await reviews.item(first);
  if (item === null) throw unknownItem(idOrPrefix);
  return item;
}

export const unknownItem = (id: string): KitError => new KitError('KIT_ITEM_UNKNOWN', `there is no review item ${id}`, { data: { item_id: id } });

export const unknownGate = (id: string): KitError => new KitError('KIT_GATE_UNKNOWN', `there is no gate ${id}`, { data: { gate_id: id } });

/** The newest round of a gate. Throws KIT_GATE_UNKNOWN. */
export async function findGate(reviews: ReviewStore, gateId: string): Promise<GateRound> {
  const gate = await reviews.gate(gateId);
  if (gate === null) throw unknownGate(gateId);
  return gate;
}
