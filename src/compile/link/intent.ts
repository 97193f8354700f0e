import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { IntentSettings } from '../../domain/intent.js';
import type { JsonObject } from '../../domain/json.js';
import { flagAt, numberAt, objectAt, textAt } from '../read.js';

const DRIFTS: readonly IntentSettings['onDrift'][] = ['log', 'warn', 'nudge'];

/**
 * `intent_monitoring` of an agent, key by key over its topology's; null where it is not enabled.
 */
export function linkIntent(topology: JsonObject, agent: JsonObject): IntentSettings | null {
  const block = { ...objectAt(topology, 'intent_monitoring'), ...objectAt(agent, 'intent_monitoring') };
  if (flagAt(block, 'enabled') !== true) return null;
  return {
    threshold: numberAt(block, 'threshold') ?? DEFAULTS.IntentMonitoring.threshold,
    onDrift: DRIFTS.find((word) => word === textAt(block, 'on_drift')) ?? DEFAULTS.IntentMonitoring.on_drift,
  };
}
