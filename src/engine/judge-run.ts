import type { Judgement } from '../domain/judgement.js';
import type { Wait } from '../domain/wait.js';
import { NO_HISTORY, textTask } from './activation-call.js';
import { evaluateDecision } from './decision/evaluate.js';
import { isParked } from './park.js';
import type { RunServices } from './services.js';
import type { UnfinishedReason } from './unfinished.js';

/** Key of the one step of a run that judges. */
const KEY = 'judge';

/**
 * A run that judges what another one gave: one decision, in the name of the entry agent of the
 * topology. The output is the verdict as JSON; a verdict that is not a pass is a result, so the run
 * is completed all the same.
 */
export async function judgeRun(services: RunServices, judgement: Judgement, input: string): Promise<RunOutcome> {
  const { root } = services.snapshot.topology;
  const { skill, scope, rubric, threshold } = judgement;
  const value = await evaluateDecision(services, {
    key: KEY,
    activation: { key: KEY, parentKey: null, node: root, task: textTask(input), history: NO_HISTORY },
    skill,
    question: { trigger: 'post_output', agentId: root.id, scope, rubric, content: input, context: {} },
    threshold,
  });
  return isParked(value)
    ? { kind: 'parked', waits: value.parked }
    : { kind: 'completed', output: JSON.stringify(value) };
}

/** What the interpreter made of a run; the worker turns it into a status. */
export type RunOutcome =
  | { readonly kind: 'completed'; readonly output: string }
  | { readonly kind: 'failed'; readonly reason: string; readonly message: string }
  /** Another build recorded the journal: the run is parked until the right version goes on. */
  | { readonly kind: 'diverged'; readonly message: string }
  | { readonly kind: 'unfinished'; readonly reason: UnfinishedReason; readonly message?: string }
  /** Everything that can run has run; people decide about the rest, or a provider is down. */
  | { readonly kind: 'parked'; readonly waits: readonly Wait[] };
