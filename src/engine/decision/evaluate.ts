import type { StepOutcome } from '../../domain/journal.js';
import type { LinkedImplementation, LinkedSkill } from '../../domain/linked-skill.js';
import { ruleSetOf } from '../../domain/snapshot.js';
import { failedVerdict, isPass, readVerdict, type Verdict } from '../../govern/checks/verdict.js';
import { sha256Hex } from '../../lib/sha256.js';
import type { Activation } from '../activation-call.js';
import { MAX_CORRECTIONS } from '../answer-check.js';
import { authorizeSkill } from '../authorize.js';
import { askPrompt, type PromptEnd } from '../context/ask-prompt.js';
import { withPart } from '../context/fitting.js';
import { textOf } from '../model-ends.js';
import type { NewEvent } from '../new-event.js';
import { isParked, type Parked } from '../park.js';
import type { RunServices } from '../services.js';
import { deniedEvents } from '../skills/denied-events.js';
import { grantElevated } from '../skills/elevate.js';
import { runSkill } from '../skills/run-skill.js';
import { failedEnd } from '../step-ends.js';
import { stopAtBoundary } from '../stop.js';
import { type DecisionQuestion, decisionInput, ENTRY_SCHEMA, lackOf, openingOf, VERDICT_SCHEMA } from './prompt.js';

export interface DecisionRequest {
  /** Key of its step. */
  readonly key: string;
  /** Whose work is judged. */
  readonly activation: Activation;
  readonly skill: string;
  readonly question: DecisionQuestion;
  /** Least confidence of a `pass`; 0..1. */
  readonly threshold: number;
  /** Of a binding: whether it can hold the work back; told with the verdict. */
  readonly required?: boolean;
  /** What else is told with the verdict, in its commit. */
  readonly events?: (decision: DecisionValue) => readonly NewEvent[];
}

/** What a decision comes to; plain JSON, recorded. */
export type DecisionValue = Verdict & {
  readonly passed: boolean;
  /** Its model saw a part of what was judged: the whole was too long for it. Absent: all of it. */
  readonly isShortened?: true;
};

/**
 * Evaluates a decision skill: one step with one `decision.evaluated`, whatever becomes of it.
 * Whatever cannot be asked or read is a `fail` with confidence 0, never a pass: a skill that is
 * missing or cannot be carried out, a model that answers nothing, an answer without a known verdict
 * (docs/design/execution.md#verdicts). The only way in: judges of funnels and every binding.
 */
export async function evaluateDecision(
  services: RunServices,
  request: DecisionRequest,
): Promise<DecisionValue | Parked> {
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
      const asked = await ask(services, request);
      if (isParked(asked)) return asked;
      const { verdict, isShortened = false, events = [] } = asked;
      const passed = isPass(verdict, request.threshold);
      const value: DecisionValue = { ...verdict, passed, ...(isShortened ? { isShortened } : {}) };
      return {
        outcome: { status: 'ok', value },
        events: [...events, evaluatedEvent(request, value), ...(request.events?.(value) ?? [])],
      };
    },
  );
  return isParked(outcome) ? outcome : decisionOf(outcome);
}

function decisionOf(outcome: StepOutcome<DecisionValue>): DecisionValue {
  return outcome.status === 'ok' ? outcome.value : { ...unasked(outcome.message), passed: false };
}

const unasked = (why: string): Verdict => failedVerdict(`The decision could not be made: ${why}`);

interface DecisionAnswer {
  readonly verdict: Verdict;
  readonly isShortened?: boolean;
  /** What else happened. */
  readonly events?: readonly NewEvent[];
}

async function ask(services: RunServices, request: DecisionRequest): Promise<DecisionAnswer | Parked> {
  const skill = services.snapshot.skills[request.skill];
  if (skill === undefined) return { verdict: unasked(`there is no skill ${request.skill}`) };
  switch (skill.implementation.type) {
    case 'llm_prompt': {
      const refused = await refusalOf(services, request, skill);
      return refused ?? (await askModel(services, request, { skill, prompt: skill.implementation }));
    }
    case 'command':
    case 'mcp_tool':
    case 'composed':
    case 'knowledge':
    case 'agent':
      return askSkill(services, request, skill);
  }
}

/**
 * A judge that requires scopes is asked for an agent that holds them, or was granted them for this
 * once; null = it may be asked.
 */
async function refusalOf(
  services: RunServices,
  { key, activation, question }: DecisionRequest,
  skill: LinkedSkill,
): Promise<DecisionAnswer | Parked | null> {
  if (skill.requiredScopes.length === 0) return null;
  const call = { activation, skill, key: `${key}/t0`, input: decisionInput(question, skill.inputs) };
  if (services.steps.rowOf(call.key)?.outcome != null) return null;
  const granted = await grantElevated(services, call);
  if (isParked(granted)) return granted;
  const decision =
    'denied' in granted
      ? granted.denied
      : await services.steps.decide(() =>
          authorizeSkill(services, { node: activation.node, skill, granted: granted.scopes }),
        );
  if (decision.verdict === 'allow') return null;
  return { verdict: unasked(decision.reason), events: deniedEvents(call, decision) };
}

interface PromptSkill {
  readonly skill: LinkedSkill;
  readonly prompt: Extract<LinkedImplementation, { type: 'llm_prompt' }>;
}

/**
 * One answer of a model, without tools or history: a judge has not seen how the draft came about.
 * One that gives no verdict is asked for it again, twice: the author of the draft cannot fix that.
 * The skill's own bounds hold for all of it.
 */
async function askModel(services: RunServices, request: DecisionRequest, judge: PromptSkill): Promise<DecisionAnswer> {
  const { skill } = judge;
  const call = { activation: request.activation, skill, key: `${request.key}/t0`, input: {} };
  let isShortened = false;
  const attempt = async (bounded: RunServices, again: { readonly key: string }) => {
    const { part, ...once } = await callOnce(bounded, request, { ...judge, key: again.key });
    isShortened = part < 1;
    return once;
  };
  const end =
    skill.constraints === undefined
      ? await attempt(services, call)
      : await (await import('../skills/bounded.js')).runBounded(services, call, attempt);
  if (isParked(end)) throw new Error('a model call waits for nobody');
  const { outcome } = end;
  return outcome.status === 'failed'
    ? { verdict: unasked(outcome.message) }
    : { verdict: readVerdict(outcome.value.output), isShortened };
}

async function callOnce(
  services: RunServices,
  { activation, question, threshold }: DecisionRequest,
  { skill, prompt, key }: PromptSkill & { readonly key: string },
): Promise<PromptEnd<{ output: string }>> {
  const { models } = services.snapshot;
  const model = models[`skill:${skill.id}`] ?? models[activation.node.id] ?? models[`judge:${skill.id}`];
  if (model === undefined) return { ...failedEnd('model_unknown', `no model is chosen for ${skill.id}`), part: 1 };
  const corrections = ruleSetOf(services.snapshot) >= 3 ? MAX_CORRECTIONS : 0;
  const { scope, content, context } = question;
  return askPrompt(
    services,
    {
      activation,
      model,
      skillId: skill.id,
      choice: prompt.model,
      keyOf: (attempt) => (attempt === 0 ? key : `${key}/t${attempt}`),
      outputSchema: declaresVerdict(skill)
        ? skill.outputs
        : question.trigger === 'pre_input'
          ? ENTRY_SCHEMA
          : VERDICT_SCHEMA,
      check: null,
      corrections,
      opening: (of) =>
        openingOf(services.snapshot, prompt.prompt, { ...question, ...withPart({ scope, content, context }, of) }),
    },
    ({ parts }, attempt) => {
      const output = textOf(parts);
      const lack = attempt >= corrections ? null : lackOf(services.snapshot, output, threshold);
      return lack === null ? { end: { outcome: { status: 'ok', value: { output } } } } : { wrong: lack };
    },
  );
}

function declaresVerdict({ outputs }: LinkedSkill): boolean {
  const properties = outputs?.properties;
  return typeof properties === 'object' && properties !== null && Object.hasOwn(properties, 'verdict');
}

/**
 * Any other skill decides by what it returns; governance, limits and escalation are those of any
 * call.
 */
async function askSkill(
  services: RunServices,
  request: DecisionRequest,
  skill: LinkedSkill,
): Promise<DecisionAnswer | Parked> {
  const input = decisionInput(request.question, skill.inputs);
  const result = await runSkill(services, {
    activation: request.activation,
    skill,
    key: `${request.key}/c0:${skill.id}`,
    input,
  });
  if (isParked(result)) return result;
  return { verdict: result.status === 'ok' ? readVerdict(result.output) : unasked(JSON.stringify(result.output)) };
}

function evaluatedEvent({ activation, skill, question, required }: DecisionRequest, value: DecisionValue): NewEvent {
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
      ...(required === undefined ? {} : { required }),
      ...(value.isShortened === true ? { shortened: true } : {}),
    },
  };
}
