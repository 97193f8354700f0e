import { isKitError } from '../../domain/errors.js';
import type { Effects } from '../../domain/journal.js';
import type { Asking, Down } from '../outage-patience.js';
import type { RunServices } from '../services.js';
import type { StepContext } from '../step-types.js';

/**
 * Null for anything but a server that says of its failure that it passes (`data.down`). Nothing of
 * a call was sent where a server could not be opened.
 */
export function serverDown(error: unknown): Down | null {
  if (!isKitError(error) || error.data.down !== true) return null;
  const { reason, server, retryAfterMs } = error.data;
  return {
    reason: `tool.${String(reason)}`,
    ...(typeof server === 'string' ? { name: server } : {}),
    retryAfterMs: typeof retryAfterMs === 'number' ? retryAfterMs : null,
  };
}

/**
 * The same for one call: what was sent and may have changed something is in doubt, and no matter of
 * waiting (docs/design/journal.md#in-doubt).
 */
export function callDown(error: unknown, effects: Effects): Down | null {
  const down = serverDown(error);
  const isHarmless = effects === 'none' || effects === 'read';
  const wasSent = isKitError(error) && error.code === 'KIT_TOOL_CALL_FAILED' && error.data.sent !== false;
  return wasSent && !isHarmless ? null : down;
}

/** Waits as `Outages` does where a server of tools could not be opened. */
export async function waitForServer(
  services: RunServices,
  { asking, context }: { readonly asking: Asking; readonly context: StepContext },
  error: unknown,
): Promise<void> {
  const { outagesOf } = await import('../outage-patience.js');
  await outagesOf(services, asking, context).waitFor(serverDown(error));
}
