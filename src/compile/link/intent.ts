import type { IntentMonitoring } from '../../domain/generated/artifacts.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { IntentSettings } from '../../domain/intent.js';

/**
 * `intent_monitoring` of an agent, key by key over its topology's; null where it is not enabled.
 */
export function linkIntent(
  below: IntentMonitoring | undefined,
  own: IntentMonitoring | undefined,
): IntentSettings | null {
  const { enabled, threshold, on_drift: onDrift } = { enabled: false, ...DEFAULTS.IntentMonitoring, ...below, ...own };
  return enabled ? { threshold, onDrift } : null;
}
