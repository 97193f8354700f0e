import type { FiredTrigger, HookAnswer, TriggerReport } from '@kit-run/kit/command';
import { toWireJob } from '@kit-run/kit/command';
import { problemCode } from '@kit-run/kit/plugin';
import type { WireFired, WireHookAnswer, WireTrigger } from '@kit-run/kit/wire';

/** A trigger as every door shows it. */
export function toWireTrigger(report: TriggerReport): WireTrigger {
  return {
    id: report.id,
    type: report.type,
    provider_id: report.providerId,
    enabled: report.enabled,
    active: report.active,
    reason: report.reason,
    targets: report.targets,
    pipeline_targets: report.pipelineTargets.map(({ pipeline, emit, correlationId }) => ({
      pipeline,
      emit,
      correlation_id: correlationId,
    })),
    config: report.config,
    next_fire_at: report.nextFireAt,
  };
}

/** What came of a firing; codes as problem details spell them. */
export function toWireFired({ trigger, type, targets }: FiredTrigger): WireFired {
  return {
    trigger,
    type,
    targets: targets.map(({ target, jobId, refusal }) => ({
      target,
      job_id: jobId,
      refused: refusal === null ? null : { code: problemCode(refusal.code), detail: refusal.message },
    })),
  };
}

/** The body of a hook's answer (docs/triggers.md#webhook). */
export function toWireHook(answer: HookAnswer): WireHookAnswer {
  if (answer.kind === 'run') return toWireJob(answer.job);
  const signals = answer.signals.map(({ pipeline, correlationId, event }) => ({
    pipeline,
    correlation_id: correlationId,
    event,
  }));
  return { delivered: true, trigger: answer.trigger, source: answer.source, signals };
}
