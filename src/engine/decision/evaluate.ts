import type { StepOutcome } from '../../domain/journal.js';
import type { LinkedImplementation, LinkedSkill } from '../../domain/workspace.js';
import { failedVerdict, isPass, readVerdict, type Verdict } from '../../govern/checks/verdict.js';
import { sha256Hex } from '../../lib/sha256.js';
import { type Activation, textTask } from '../activation-call.js';
import type { EventDraft } from '../draft.js';
import { callModel, textOf } from '../model-call.js';
import { isParked, type Parked } from '../park.js';
import type { RunServices } from '../services.js';
import { runSkill } from '../skills/run-skill.js';
import { stopAtBoundary } from '../stop.js';
import { type DecisionQuestion, decisionInput, decisionText, ENTRY_SCHEMA, VERDICT_SCHEMA } from './prompt.js';

export interface DecisionRequest {
  /** Key of its step. */
  readonly key: string;
  /** Whose work is judged. */
  readonly activation: Activation;
  readonly skill: string;
  readonly question: DecisionQuestion;
  /** Least confidence of a `pass`; 0..1. */
  readonly threshold: number;
  /** What else is told with the verdict, in its commit. */
  readonly events?: (decision: DecisionValue) => readonly EventDraft[];
}

/** What a decision comes to; plain JSON, recorded. */
export type DecisionValue = Verdict & { readonly passed: boolean };

/**
 * Evaluates a decision skill: one step with one `decision.evaluated`, whatever becomes of it. Whatever cannot be asked or read is a
 * `fail` with confidence 0, never a pass: a skill that is missing or cannot be carried out, a model that answers nothing, an answer
 * without a known verdict (execution.md 3.4). The only way in: judges of funnels and every binding.
 */
export async function evaluateDecision(services: RunServices, request: DecisionRequest): Promise<DecisionValue | Parked> {
  const { key, activation, skill, question } = request;
  if (services.steps.rowOf(key)?.outcome == null) await stopAtBoundary(services);
  const outcome = await services.steps.scope<DecisionValue>(
    {
      key,
      kind: 'decision',
      identity: { skill, trigger: question.trigger, content: sha256Hex(question.content) },
      effects: 'none',
      onInDoubt: 'repeat',
      agentId: activation.node.id,
      units: 0,
    },
    async () => {
      const verdict = await ask(services, request);
      if (isParked(verdict)) return verdict;
      const value = { ...verdict, passed: isPass(verdict, request.threshold) };
      return { outcome: { status: 'ok', value }, events: [evaluatedEvent(request, value), ...(request.events?.(value) ?? [])] };
    },
  );
  return isParked(outcome) ? outcome : decisionOf(outcome);
}

function decisionOf(outcome: StepOutcome<DecisionValue>): DecisionValue {
  return outcome.status === 'ok' ? outcome.value : { ...unasked(outcome.message), passed: false };
}

const unasked = (why: string): Verdict => failedVerdict(`The decision could not be made: ${why}`);

async function ask(services: RunServices, request: DecisionRequest): Promise<Verdict | Parked> {
  const skill = services.snapshot.skills[request.skill];
  if (skill === undefined) return unasked(`there is no skill ${request.skill}`);
  switch (skill.implementation.type) {
    case 'llm_prompt':
      return askModel(services, request, { skill, prompt: skill.implementation });
    case 'command':
    case 'composed':
    case 'agent':
    case 'mcp_tool':
      return askSkill(services, request, skill);
  }
}

interface PromptSkill {
  readonly skill: LinkedSkill;
  readonly prompt: Extract<LinkedImplementation, { type: 'llm_prompt' }>;
}

/** One model call, without tools or history: a judge has not seen how the draft came about. */
async function askModel(services: RunServices, request: DecisionRequest, { skill, prompt }: PromptSkill): Promise<Verdict> {
  const { key, activation, question } = request;
  const model =
    services.snapshot.models[`skill:${skill.id}`] ?? services.snapshot.models[activation.node.id] ?? services.snapshot.models[`judge:${skill.id}`];
  if (model === undefined) return unasked(`no model is chosen for ${skill.id}`);
  const outcome = await callModel(services, {
    key: `${key}/t0`,
    agentId: activation.node.id,
    skillId: skill.id,
    purpose: 'skill',
    provider: model.provider,
    model: model.model,
    choice: prompt.model,
    messages: [
      { role: 'system', parts: textTask(prompt.prompt) },
      { role: 'user', parts: textTask(decisionText(question)) },
    ],
    tools: [],
    outputSchema: declaresVerdict(skill) ? skill.outputs : question.trigger === 'pre_input' ? ENTRY_SCHEMA : VERDICT_SCHEMA,
    check: null,
    checkIsFinal: true,
    attempt: 0,
    corrections: 0,
    activation: activation.key,
  });
  return outcome.status === 'failed' ? unasked(outcome.message) : readVerdict(textOf(outcome.value.parts));
}

function declaresVerdict({ outputs }: LinkedSkill): boolean {
  const properties = outputs?.properties;
  return typeof properties === 'object' && properties !== null && Object.hasOwn(properties, 'verdict');
}

/** Any other skill decides by what it returns; governance, limits and escalation are those of any call. */
async function askSkill(services: RunServices, request: DecisionRequest, skill: LinkedSkill): Promise<Verdict | Parked> {
  const input = decisionInput(request.question, skill.inputs);
  const result = await runSkill(services, { activation: request.activation, skill, key: `${request.key}/c0:${skill.id}`, input });
  if (isParked(result)) return result;
  return result.status === 'ok' ? readVerdict(result.output) : unasked(JSON.stringify(result.output));
}

function evaluatedEvent({ activation, skill, question }: DecisionRequest, value: DecisionValue): EventDraft {
  return {
    type: 'decision.evaluated',
    agentId: activation.node.id,
    skillId: skill,
    payload: {
      trigger: question.trigger,
      skill,
      verdict: value.verdict,
      confidence: value.confidence,
      reasoning: value.reasoning,
      passed: value.passed,
      flagged_items: [...value.flaggedItems],
      verdict_invalid: value.isInvalid,
    },
  };
}
