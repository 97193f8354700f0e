import type { IntentSettings } from '../../domain/intent.js';
import type { JsonObject } from '../../domain/json.js';
import { flagAt, numberAt, objectAt, textAt } from '../read.js';

const DRIFTS: readonly IntentSettings['onDrift'][] = ['log', 'warn', 'nudge'];
const DEFAULT_THRESHOLD = 0.75;

/**
 * `intent_monitoring` of an agent, key by key over its topology's; null where it is not enabled.
 */
export function linkIntent(topology: JsonObject, agent: JsonObject): IntentSettings | null {
  const block = { ...objectAt(topology, 'intent_monitoring'), ...objectAt(agent, 'intent_monitoring') };
  if (flagAt(block, 'enabled') !== true) return null;
  return {
    threshold: numberAt(block, 'threshold') ?? DEFAULT_THRESHOLD,
    onDrift: DRIFTS.find((word) => word === textAt(block, 'on_drift')) ?? 'log',
  };
}
