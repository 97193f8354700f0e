import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { Json, JsonObject } from '../../domain/json.js';
import type { TriggerSpec, TriggerTarget } from '../../domain/ports/triggers.js';
import { isObject } from '../../lib/json.js';
import { flagAt, objectAt, textAt } from '../read.js';
import { triggerForm } from './trigger-form.js';

function targetOf(target: Json): TriggerTarget {
  if (!isObject(target)) return { kind: 'topology', topology: String(target) };
  return {
    kind: 'event',
    pipeline: textAt(target, 'pipeline') ?? '',
    emit: textAt(target, 'emit') ?? '',
    correlationId: textAt(target, 'correlation_id') ?? DEFAULTS.EventTarget.correlation_id,
  };
}

/** The trigger as it fires; the inline forms are translated (docs/design/workspace.md#triggers). */
export function triggerSpec(id: string, trigger: JsonObject): TriggerSpec {
  const form = triggerForm(trigger);
  const { secret_ref: _older, ...config } = objectAt(trigger, 'config') ?? {};
  return {
    id,
    type: form.type,
    providerId: textAt(trigger, 'provider_id'),
    enabled: flagAt(trigger, 'enabled') ?? DEFAULTS.Trigger.enabled,
    targets: form.targets.map(targetOf),
    config: {
      ...config,
      ...(form.expression === null ? {} : { expression: form.expression }),
      ...(form.auth === null ? {} : { auth: form.auth }),
    },
  };
}
