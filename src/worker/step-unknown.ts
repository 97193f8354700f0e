import { KitError } from '../domain/errors.js';
import type { StepRow } from '../domain/journal.js';
import { nearKeys } from '../lib/near-keys.js';
import { hintFor } from '../lib/nearest.js';

/**
 * A run has no step of this key; the hint names the likely one, else those that begin like it.
 * `flag`: where the key was written.
 */
export function stepUnknown(
  runId: string,
  of: { readonly rows: readonly StepRow[]; readonly step: string; readonly flag: string },
): KitError {
  const { rows, step, flag } = of;
  const keys = rows.map(({ key }) => key);
  const near = nearKeys(step, keys);
  const list = `\`kit debug ${runId}\` lists its steps`;
  const fallback = near.length === 0 ? `${list}.` : `Near it are ${near.join(', ')}; ${list}.`;
  return new KitError('KIT_STEP_UNKNOWN', `run ${runId} has no step ${step === '' ? '""' : step}`, {
    hint: hintFor(step, keys, { prefix: `${flag} `, fallback }),
    data: { job_id: runId, step, near: [...near] },
  });
}
