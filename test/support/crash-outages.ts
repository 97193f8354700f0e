import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { type RetryRequest, retryRun } from '../../src/app/runs/retry-run.js';
import type { Job } from '../../src/domain/job.js';
import type { ModelProvider } from '../../src/domain/ports/model.js';
import type { Stores } from '../../src/domain/ports/stores.js';
import type { RunSnapshot } from '../../src/domain/snapshot.js';
import { stepIdOf } from '../../src/engine/derive.js';
import { type CrashPlan, pathsOf } from './crash-plan.js';
import { speakerOf } from './crash-speaker.js';

/** Calls of `outage` that find the model down, each once, whichever process makes it. */
export const DOWN_ONCE: readonly string[] = ['root:0', 'lister:1', 'counter:0', 'counter:1', 'root:1'];
/** The step of `retried` that finds it down, however often it is made. */
const DOWN_STEP = 'root/d0/t1';

/** A wait is cut to the patience: what is killed is a run that waits, not one that waits long. */
export const patientOf = ({ scenario }: CrashPlan, snapshot: RunSnapshot): RunSnapshot =>
  scenario === 'outage' ? { ...snapshot, env: { ...snapshot.env, KIT_OUTAGE_PATIENCE_S: 0.1 } } : snapshot;

/**
 * The model of a scenario in which it is down. Nothing happens outside then: it is not an effect.
 */
export function downProvider(plan: CrashPlan, provider: ModelProvider): ModelProvider {
  const { downs } = pathsOf(plan.dir);
  const isDown = (name: string, stepId: string): boolean => {
    if (plan.scenario === 'retried') return stepId === stepIdOf(plan.jobId, DOWN_STEP);
    if (plan.scenario !== 'outage' || !DOWN_ONCE.includes(name)) return false;
    if (existsSync(downs) && readFileSync(downs, 'utf8').split('\n').includes(name)) return false;
    appendFileSync(downs, `${name}\n`);
    return true;
  };
  return {
    ...provider,
    generate: async (request, context) => {
      const { agent, turn } = speakerOf(request);
      return isDown(`${agent}:${turn}`, context.stepId)
        ? { ok: false, failure: { kind: 'network', message: 'down', status: null, retryAfterMs: null } }
        : provider.generate(request, context);
    },
  };
}

/** Nobody has it, until it is due or a run that it asked for has come to rest. */
export const isAsleep = (job: Job | null): boolean => job?.status === 'running' && job.workerId === null;

/** The run, or the retry that was made of it. */
export async function lastOfLine(stores: Stores, plan: CrashPlan): Promise<Job | null> {
  const first = await stores.jobs.get(plan.jobId);
  if (plan.scenario !== 'retried' || first?.status !== 'failed') return first;
  return (await stores.jobs.list({ limit: 10 })).find(({ parentJobId }) => parentJobId === first.id) ?? first;
}

/** A failed run is retried once, whoever asks and however often; null = it was before. */
export async function retryOnce(parts: Parameters<typeof retryRun>[0], job: string): Promise<Job | null> {
  const by: RetryRequest['by'] = { source: 'cli', submittedBy: { identity: 'tester', assurance: 'asserted' } };
  const made = await retryRun(parts, { job, by, repeatPruned: false }, 'claimed');
  return made.repeated ? null : made.job;
}
