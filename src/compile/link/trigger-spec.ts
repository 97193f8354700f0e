import type { TriggerTarget as TargetBlock, Trigger } from '../../domain/generated/artifacts.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { TriggerSpec, TriggerTarget } from '../../domain/ports/triggers.js';
import { triggerForm } from './trigger-form.js';

function targetOf(target: TargetBlock): TriggerTarget {
  if (typeof target === 'string') return { kind: 'topology', topology: target };
  const { pipeline, emit, correlation_id: correlationId } = { ...DEFAULTS.EventTarget, ...target };
  return { kind: 'event', pipeline, emit, correlationId };
}

/** The trigger as it fires; the inline forms are translated (docs/design/workspace.md#triggers). */
export function triggerSpec(id: string, trigger: Trigger): TriggerSpec {
  const form = triggerForm(trigger);
  const { secret_ref: _older, ...config } = trigger.config ?? {};
  return {
    id,
    type: form.type,
    providerId: trigger.provider_id ?? null,
    enabled: trigger.enabled ?? DEFAULTS.Trigger.enabled,
    targets: form.targets.map(targetOf),
    config: {
      ...config,
      ...(form.expression === null ? {} : { expression: form.expression }),
      ...(form.auth === null ? {} : { auth: form.auth }),
    },
  };
}
