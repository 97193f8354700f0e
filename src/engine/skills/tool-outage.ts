import { isKitError } from '../../domain/errors.js';
import type { Effects } from '../../domain/journal.js';
import type { Down } from '../outage-patience.js';

/**
 * Null for anything but a server that says of its failure that it passes (`data.down`). Nothing of
 * a call was sent where a server could not be opened.
 */
export function serverDown(error: unknown): Down | null {
  if (!isKitError(error) || error.data.down !== true) return null;
  const { reason, retryAfterMs } = error.data;
  return { reason: `tool.${String(reason)}`, retryAfterMs: typeof retryAfterMs === 'number' ? retryAfterMs : null };
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
