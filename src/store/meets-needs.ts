import type { JobNeeds, JobOffers } from '../domain/job-needs.js';
import { missingNeeds } from '../domain/missing-needs.js';

/** Distinct needs that are remembered for one set of offers: jobs of a workspace have few. */
const REMEMBERED = 500;

/**
 * The condition on `needs` in a claim, over the two columns' JSON text: 1 = everything is there.
 * What was judged for the same offers is remembered, because a claim may pass many rows that
 * somebody else has to run.
 */
export function createNeedsCheck(): (needs: unknown, offers: unknown) => 0 | 1 {
  const judged = new Map<string, 0 | 1>();
  let judgedOffers: string | null = null;
  return (needs, offers) => {
    if (typeof needs !== 'string' || typeof offers !== 'string') return 0;
    if (offers !== judgedOffers || judged.size > REMEMBERED) judged.clear();
    judgedOffers = offers;
    const known = judged.get(needs);
    if (known !== undefined) return known;
    const verdict = judge(needs, offers);
    judged.set(needs, verdict);
    return verdict;
  };
}

/** A row that cannot be read is nobody's; it must not end the claim of the others. */
function judge(needs: string, offers: string): 0 | 1 {
  try {
    // Both texts are written by the store itself from values of these types.
    return missingNeeds(JSON.parse(needs) as JobNeeds, JSON.parse(offers) as JobOffers).length === 0 ? 1 : 0;
  } catch {
    return 0;
  }
}
