import type { Usage } from '../domain/job.js';
import type { StepOutcome } from '../domain/journal.js';
import { elapsedMs } from '../domain/ports/system.js';
import { type ChosenModel, numberOf } from '../domain/snapshot.js';
import { CallProgress, callTimesOf } from './call-times.js';
import type { ModelCall, ModelValue } from './model-ask.js';
import { answered, failedEnd, isCutOff, priced } from './model-ends.js';
import { outageOf } from './outage.js';
import type { Asking, TargetFailure } from './outage-patience.js';
import { retryDelayMs } from './retry.js';
import { permitted, requestOf, targetAfter, targetAt } from './send-request.js';
import type { RunServices } from './services.js';
import type { StepContext, StepEnd } from './step-types.js';
import { Unfinished } from './unfinished.js';

/** Nobody has answered yet: the model that was asked for is asked first. */
export const fallbackOf = ({ fallback }: Pick<ChosenModel, 'fallback'>): Pick<ModelCall, 'fallback'> =>
  fallback === undefined ? {} : { fallback: { models: fallback, from: 0 } };

/**
 * One whole answer of a model, in a step of its own; each part of an answer that the output limit
 * cuts off is one more.
 */
export function callModel(services: RunServices, call: ModelCall): Promise<StepOutcome<ModelValue>> {
  return askModel(services, call).then((outcome) =>
    outcome.status === 'failed' || !isCutOff(services.snapshot, outcome.value)
      ? outcome
      : goOnWith(services, call, outcome.value),
  );
}

/** Most answers are whole, and never load this. */
async function goOnWith(services: RunServices, call: ModelCall, cut: ModelValue): Promise<StepOutcome<ModelValue>> {
  const { goOnWithAnswer } = await import('./cut-answer.js');
  return goOnWithAnswer({ call: await goingOnWith(call, cut), cut, ask: (next) => askModel(services, next) });
}

/** The same call, to whoever gave this answer of it. */
async function goingOnWith(call: ModelCall, { served_by: served }: ModelValue): Promise<ModelCall> {
  const { fallback } = call;
  if (fallback === undefined || served === undefined) return call;
  const { servedAt } = await import('./fallback.js');
  return { ...call, fallback: { ...fallback, from: servedAt(fallback, served) } };
}

/**
 * Runs, or replays, one model call as a step of its own. Retries of passing failures happen inside
 * the step.
 */
function askModel(services: RunServices, call: ModelCall): Promise<StepOutcome<ModelValue>> {
  const identity = {
    provider: call.provider,
    model: call.model,
    tools: call.tools.map((tool) => tool.name),
    structured: call.outputSchema !== null,
    purpose: call.purpose,
  };
  return services.steps.run<ModelValue>(
    {
      key: call.key,
      kind: 'model',
      identity,
      effects: 'read',
      onInDoubt: 'repeat',
      agentId: call.agentId,
      units: call.units ?? 1,
    },
    (context) => attemptCall(services, call, context),
  );
}

async function attemptCall(services: RunServices, call: ModelCall, context: StepContext): Promise<StepEnd<ModelValue>> {
  const { stepId } = context;
  const startedAt = elapsedMs(services.clock);
  let target = await targetAt(services, call, call.fallback?.from ?? 0);
  const failures: TargetFailure[] = [];
  const { tools, reads } = await describedTools(services, call, context);
  // Tries before it waited for a provider that was down; from then on a try is one request.
  const earlier = outageOf(context.notes)?.tries ?? 0;
  let retries = 0;
  let lost = (context.notes.lost as Usage | undefined) ?? null;
  for (;;) {
    const tries = earlier + retries + 1;
    const { provider } = target;
    const asked = { ...target.call, tools };
    const progress = new CallProgress(callTimesOf(services.snapshot), () => elapsedMs(services.clock));
    const answer = await permitted(services, { call: asked, provider, context, tries, progress });
    if (services.signal.aborted) throw new Unfinished('abort');
    const facts = { retries: earlier + retries, durationMs: Math.max(0, elapsedMs(services.clock) - startedAt), lost };
    // An answer that came with the stop is paid for, and kept; the next boundary sees the stop.
    if (answer.ok) {
      const { response } = answer;
      const other = response.finish === 'content_filter' ? await targetAfter(services, call, target, response) : null;
      if (other === null) return answered(services.snapshot, asked, { response, provider, facts, reads });
      const { giveUp, withheldWith } = await import('./lost-usage.js');
      lost = withheldWith(lost, priced(response.usage, provider.price(asked.model, response.usage)));
      if (await services.stopRequested()) return giveUp(context, lost);
      [target, retries] = [other, 0];
      continue;
    }
    const { failure } = answer;
    const { giveUp, lostWith } = await import('./lost-usage.js');
    lost = lostWith(lost, { request: requestOf(asked), failure, progress, provider });
    if (services.stops?.signal.aborted === true) return giveUp(context, lost);
    // Most calls are answered, and never load this.
    const { allOf, anyDown, outagesOf } = await import('./outage-patience.js');
    const outages = outagesOf(services, askingOf(call), context);
    const delayMs = retryDelayMs(failure, {
      done: retries,
      max: earlier > 0 ? 0 : numberOf(services.snapshot, 'KIT_MODEL_RETRIES'),
      longestMs: Math.min(callTimesOf(services.snapshot).wholeMs, LONGEST_ADVICE_MS, outages.longestPauseMs),
      seed: stepId,
    });
    if (delayMs === null) {
      failures.push({ provider: asked.provider, failure });
      const other = await targetAfter(services, call, target, failure);
      if (other !== null) {
        // Whoever stops the run asks nobody else.
        if (await services.stopRequested()) return giveUp(context, lost);
        [target, retries] = [other, 0];
        continue;
      }
      const down = anyDown(failures);
      if (down !== null && lost !== null) await context.note({ lost });
      await outages.waitFor(down);
      return failedEnd(call, allOf(failures), { ...facts, lost });
    }
    retries += 1;
    const { pauseFor } = await import('./pause-for.js');
    await pauseFor(services, delayMs);
    if (services.signal.aborted) throw new Unfinished('abort');
    // Whoever stops the run, or leaves it to another process, asks for no further request.
    if (await services.stopRequested()) return giveUp(context, lost);
  }
}

/** A server of tools that is down when a turn begins is waited for. */
async function describedTools(services: RunServices, call: ModelCall, context: StepContext) {
  if (call.describe === undefined) return { tools: call.tools, reads: [] };
  try {
    return await call.describe();
  } catch (error) {
    const { waitForServer } = await import('./skills/tool-outage.js');
    await waitForServer(services, { asking: askingOf(call), context }, error);
    throw error;
  }
}

/** What no agent asked for is not waited for. */
const askingOf = (call: ModelCall): Asking => ({ ...call, isAwaited: call.units !== 0 });

/** What asks for a longer pause is not waited for within the call. */
const LONGEST_ADVICE_MS = 300_000;
