import { stepTraceParent } from './derive.js';
import type { RunServices } from './services.js';
import type { StepContext } from './step-types.js';

/**
 * What a process learns of the step it is started for: whose it is, and the span that its own spans
 * hang below.
 */
export const stepEnv = (
  { jobId, traceParent }: Pick<RunServices, 'jobId' | 'traceParent'>,
  step: { readonly key: string; readonly context: Pick<StepContext, 'stepId' | 'attempt'> },
): Readonly<Record<string, string>> => ({
  KIT_STEP_ID: step.context.stepId,
  KIT_RUN_ID: jobId,
  TRACEPARENT: stepTraceParent({ jobId, traceParent, key: step.key, attempt: step.context.attempt }),
});
