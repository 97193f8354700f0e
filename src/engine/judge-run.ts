import type { Judgement } from '../domain/judgement.js';
import { textTask } from './activation-call.js';
import { evaluateDecision } from './decision/evaluate.js';
import { isParked } from './park.js';
import type { RunOutcome } from './run.js';
import type { RunServices } from './services.js';

/** Key of the one step of a run that judges. */
const KEY = 'judge';

/**
 * A run that judges what another one gave: one decision, in the name of the entry agent of the
 * topology. The output is the verdict as JSON; a verdict that is no pass is a result, so the run is
 * completed all the same.
 */
export async function judgeRun(services: RunServices, judgement: Judgement, input: string): Promise<RunOutcome> {
  const { root } = services.snapshot.topology;
  const { skill, scope, rubric, threshold } = judgement;
  const value = await evaluateDecision(services, {
    key: KEY,
    activation: { key: KEY, parentKey: null, node: root, task: textTask(input), history: [] },
    skill,
    question: { trigger: 'post_output', agentId: root.id, scope, rubric, content: input, context: {} },
    threshold,
  });
  return isParked(value)
    ? { kind: 'parked', waits: value.parked }
    : { kind: 'completed', output: JSON.stringify(value) };
}
