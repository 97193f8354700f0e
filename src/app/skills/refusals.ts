import { KitError } from '../../domain/errors.js';
import { hintFor } from '../../lib/nearest.js';
import type { EditProblem } from '../editing/editing-app.js';
import { placeOf } from '../editing/refusals.js';

/** Why something cannot become a skill of the workspace; nothing was written. */
export function skillRefused(why: string, errors: readonly EditProblem[] = [], hint?: string): KitError {
  const [first] = errors;
  const others = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  const place = first === undefined ? '' : `: ${placeOf(first)}: ${first.message}${others}`;
  return new KitError('KIT_SKILL_REFUSED', `${why}${place}`, {
    data: { valid: false, errors },
    ...(hint === undefined ? {} : { hint }),
  });
}

/** `known`: ids among which the likely one is told. */
export const skillUnknown = (what: string, id: string, known: Iterable<string>): KitError =>
  new KitError('KIT_SKILL_UNKNOWN', what, {
    hint: hintFor(id, known, { fallback: 'List what there is with `kit skill list --available`.' }),
  });
