import { KitError } from '../../domain/errors.js';
import type { Job } from '../../domain/job.js';
import type { StepRow } from '../../domain/journal.js';
import type { KeptPrompt } from '../../domain/ports/prompts.js';
import type { Stores } from '../../domain/ports/stores.js';
import { hintFor } from '../../lib/nearest.js';
import { stepUnknown } from '../../worker/step-unknown.js';
import { findJob } from '../find-job.js';

/** Which steps of a run somebody wants to see. */
export interface DebugQuery {
  /** Absolute workspace directory. */
  readonly workspace: string;
  /** Run id or a unique prefix. */
  readonly run: string;
  /** Agent id; null = all. */
  readonly agent: string | null;
  /** Key of a step, with everything inside it; null = all. */
  readonly step: string | null;
}

/**
 * The journal of a run, as far as it is there, and what its models were asked: secrets were masked
 * before anything was kept (docs/design/journal.md#masking).
 */
export interface RunDebug {
  readonly job: Job;
  /** In the order in which they were started. */
  readonly steps: readonly StepRow[];
  /** Results that are gone: `storage.journal_days` after the end of the run. */
  readonly prunedSteps: number;
  /**
   * Calls of models that these steps made, as far as the buffer holds them, in the order in which
   * they were made.
   */
  readonly prompts: readonly KeptPrompt[];
}

/** Which calls of models somebody wants to see; newest first. */
export interface PromptQuery {
  /** Absolute workspace directory. */
  readonly workspace: string;
  /** Agent id; null = all. */
  readonly agent: string | null;
  /** >= 1. */
  readonly limit: number;
}

/** What the buffer of calls holds. */
export interface KeptPrompts {
  /** Newest first. */
  readonly prompts: readonly KeptPrompt[];
  /** All calls that are kept, whoever made them. */
  readonly kept: number;
}

/**
 * More than the buffer is given by default (KIT_DEBUG_PROMPTS); the newest of a larger one are
 * shown.
 */
const MAX_PROMPTS = 1000;

/** See `ObserveApp.prompts`. */
export async function readPrompts(
  { prompts }: Pick<Stores, 'prompts'>,
  { agent, limit }: PromptQuery,
): Promise<KeptPrompts> {
  const [found, kept] = await Promise.all([
    prompts.list({ jobId: null, limit: agent === null ? limit : MAX_PROMPTS }),
    prompts.count(),
  ]);
  if (agent === null) return { prompts: found, kept };
  const known = [...new Set(found.map(({ agentId }) => agentId))];
  if (!known.includes(agent)) {
    throw new KitError('KIT_FILTER_UNKNOWN', `no call of a model that is kept is one of the agent ${agent}`, {
      hint: hintFor(agent, known, { prefix: '--agent ', fallback: 'Leave --agent out to see every call.' }),
    });
  }
  return { prompts: found.filter(({ agentId }) => agentId === agent).slice(0, limit), kept };
}

/** See `ObserveApp.debug`. */
export async function readDebug(stores: Stores, query: DebugQuery): Promise<RunDebug> {
  const job = await findJob(stores, query.run);
  const rows = await stores.runs.load(job.id);
  const { agent, step } = query;
  if (agent !== null && !rows.some((row) => row.agentId === agent)) {
    const known = [...new Set(rows.flatMap((row) => row.agentId ?? []))];
    throw new KitError('KIT_FILTER_UNKNOWN', `no step of run ${job.id} is one of the agent ${agent}`, {
      hint: hintFor(agent, known, { prefix: '--agent ', fallback: 'Leave --agent out to see every step.' }),
    });
  }
  if (step !== null && !rows.some(({ key }) => key === step)) throw stepUnknown(job.id, { rows, step, flag: '--step' });
  const steps = rows.filter(
    (row) =>
      (agent === null || row.agentId === agent) &&
      (step === null || row.key === step || row.key.startsWith(`${step}/`)),
  );
  const keys = new Set(steps.map(({ key }) => key));
  const prompts = (await stores.prompts.list({ jobId: job.id, limit: MAX_PROMPTS }))
    .filter(({ stepKey }) => keys.has(stepKey))
    .toReversed();
  return { job, steps, prompts, prunedSteps: steps.filter(({ prunedAt }) => prunedAt !== undefined).length };
}
