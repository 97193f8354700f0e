import { KitError } from '../../domain/errors.js';
import { hintFor } from '../../lib/nearest.js';

/**
 * The trigger of this id, which somebody fires by hand. Throws KIT_TRIGGER_UNKNOWN,
 * KIT_TRIGGER_DISABLED.
 */
export function triggerToFire<T extends { readonly id: string; readonly enabled: boolean }>(
  id: string,
  triggers: readonly T[],
): T {
  const trigger = triggers.find((one) => one.id === id);
  if (trigger === undefined) {
    const known = triggers.map((one) => one.id);
    const hint = hintFor(id, known, { fallback: 'List the triggers with `kit triggers list`.' });
    throw new KitError('KIT_TRIGGER_UNKNOWN', `there is no trigger ${id}`, { hint });
  }
  if (!trigger.enabled) throw new KitError('KIT_TRIGGER_DISABLED', `trigger ${id} is disabled`);
  return trigger;
}
