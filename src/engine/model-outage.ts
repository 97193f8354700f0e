import type { ModelFailure } from '../domain/ports/model.js';
import type { ModelCall } from './model-call.js';
import { isPatienceSpent, LONGEST_PAUSE_MS, nextWait, outageOf } from './outage.js';
import type { RunServices } from './services.js';
import type { StepContext } from './step-types.js';
import { Unfinished } from './unfinished.js';

/** What one call of a model does about a provider that is down. */
export interface ModelOutages {
  /** How often the step was tried and then waited for; from 1 on a try is one request. */
  readonly tries: number;
  /** Longest pause within the call, in milliseconds; Infinity for a run that does not wait. */
  readonly longestPauseMs: number;
  /**
   * Throws `Unfinished` with the reason `outage` where the run is to wait, once that is on the
   * journal; returns where the failure is the call's result.
   */
  waitFor(failure: ModelFailure): Promise<void>;
}

/**
 * The patience is frozen with the run; a snapshot from before has none. What no agent asked for is
 * not waited for: the run has its answer already.
 */
export function outagesOf(services: RunServices, call: ModelCall, context: StepContext): ModelOutages {
  const { clock, snapshot, steps } = services;
  const earlier = outageOf(context.notes);
  const patienceMs = call.units === 0 ? 0 : 1000 * Number(snapshot.env.KIT_OUTAGE_PATIENCE_S ?? 0);
  const isPatient = patienceMs > 0 && !isPatienceSpent(steps.deps.session.all());
  return {
    tries: earlier?.tries ?? 0,
    longestPauseMs: isPatient ? LONGEST_PAUSE_MS : Number.POSITIVE_INFINITY,
    waitFor: async (failure) => {
      const outage = isPatient ? nextWait(failure, { earlier, patienceMs, seed: context.stepId }) : null;
      if (outage === null) return;
      const payload = {
        key: call.key,
        reason: `provider.${failure.kind}`,
        tries: outage.tries,
        until: new Date(clock.now() + outage.wait_ms).toISOString(),
      };
      const event = { type: 'step.waiting', agentId: call.agentId, skillId: call.skillId, payload } as const;
      await context.note({ outage }, [event]);
      throw new Unfinished('outage');
    },
  };
}
