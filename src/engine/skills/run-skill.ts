import { isKitError } from '../../domain/errors.js';
import type { StepOutcome } from '../../domain/journal.js';
import type { Json, JsonObject } from '../../domain/json.js';
import type { Decision } from '../../domain/ports/governance.js';
import type { LinkedSkill } from '../../domain/workspace.js';
import type { Activation } from '../activation-call.js';
import { authorizeSkill } from '../authorize.js';
import type { EventDraft } from '../draft.js';
import { isParked, type Parked } from '../park.js';
import { needsOf } from '../results.js';
import { numberOf, type RunServices } from '../services.js';
import { thrownEnd } from '../step-ends.js';
import { StepFailure } from '../step-failure.js';
import type { StepContext, StepEnd, StepSpec } from '../step-types.js';
import { runCommand } from './command.js';
import { orAskPerson } from './escalate.js';
import { runPrompt } from './llm-prompt.js';

export interface SkillCall {
  readonly activation: Activation;
  readonly skill: LinkedSkill;
  readonly key: string;
  readonly input: JsonObject;
}

/** What goes back to the model, and whether it counts as done. A refusal or failure is data with a status and a reason. */
export interface SkillResult {
  readonly status: 'ok' | 'failed' | 'denied';
  readonly output: Json;
}

type SkillValue = { readonly output: Json };
type Attempt = (bounded: RunServices, again: SkillCall, context: StepContext) => Promise<StepEnd<SkillValue> | Parked>;

/** One call of a skill: its step, then, where the skill says so, a person who answers for what failed. */
export async function runSkill(services: RunServices, call: SkillCall): Promise<SkillResult | Parked> {
  const outcome = await callSkill(services, call);
  const answered = isParked(outcome) ? outcome : await orAskPerson(services, call, outcome);
  return isParked(answered) ? answered : resultOf(services, answered);
}

/** The step: governance first, then the implementation, and exactly one `skill.executed`. */
async function callSkill(services: RunServices, call: SkillCall): Promise<StepOutcome<SkillValue> | Parked> {
  const { implementation } = call.skill;
  const invalid = call.skill.inputs === null ? [] : await services.validate(call.skill.inputs, call.input);
  const startedAt = services.clock.now();
  const spec = specOf(services, call);
  const finish = async (end: StepEnd<SkillValue>): Promise<StepEnd<SkillValue>> =>
    withEvent(services, { call, end: await fitted(services, call, end), durationMs: services.clock.now() - startedAt });
  const attempts = (run: Attempt, context: StepContext) => orFailed(() => inBounds(services, call, (bounded, again) => run(bounded, again, context)));
  /** What is carried out outside: it comes to an end, and is in doubt after a crash. */
  const effect = (run: Attempt) =>
    services.steps.run<SkillValue>({ ...spec, kind: 'tool' }, async (context) => finish(ended(await attempts(run, context))));
  /** What holds other steps: it may come to no end yet. */
  const hold = (run: Attempt) =>
    services.steps.scope<SkillValue>({ ...spec, kind: 'skill' }, async (context) => {
      const end = await attempts(run, context);
      return isParked(end) ? end : finish(end);
    });
  if (invalid.length > 0) {
    const message = invalid.map((error) => `${error.pointer || '/'}: ${error.message}`).join('; ');
    const end = await finish({ outcome: { status: 'failed', reason: 'invalid_arguments', message } });
    return services.steps.answer<SkillValue>({ ...spec, kind: 'tool' }, () => end);
  }
  switch (implementation.type) {
    case 'command':
      return effect((bounded, again, context) => runCommand(bounded, { call: again, command: implementation.command, context }));
    case 'llm_prompt':
      return hold((bounded, again) => runPrompt(bounded, { call: again, prompt: implementation }));
    case 'composed':
      return hold(async (bounded, again) => {
        const { runComposed } = await import('./composed.js');
        return runComposed(bounded, { call: again, panel: implementation, ask: runSkill });
      });
    case 'agent':
      return implementation.topology === null
        ? effect(async (bounded, again, context) =>
            (await import('./child-run.js')).callRemote(bounded, { call: again, agent: implementation, context }),
          )
        : hold(async (bounded, again, context) =>
            (await import('./child-run.js')).runTopology(bounded, { call: again, agent: implementation, context }),
          );
    case 'mcp_tool':
      // Submit refuses topologies that reach these (key table, `not-yet`), so this is a broken invariant, not a user's mistake.
      throw new Error(`skill ${call.skill.id}: ${implementation.type} cannot run yet`);
  }
}

/** A refusal on the way (a credential that does not resolve) is a failed call with its code, reported like any other. */
async function orFailed<E>(run: () => Promise<E>): Promise<E | StepEnd<never>> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof StepFailure || (isKitError(error) && error.code !== 'KIT_JOURNAL_DIVERGED')) return thrownEnd(error);
    throw error;
  }
}

/** Limits, retries and outputs are modules that a skill without them never loads. */
async function inBounds(
  services: RunServices,
  call: SkillCall,
  run: (bounded: RunServices, again: SkillCall) => Promise<StepEnd<SkillValue> | Parked>,
) {
  return call.skill.constraints === undefined ? run(services, call) : (await import('./bounded.js')).runBounded(services, call, run);
}

async function fitted(services: RunServices, call: SkillCall, end: StepEnd<SkillValue>): Promise<StepEnd<SkillValue>> {
  return call.skill.outputs === null ? end : (await import('./fit-outputs.js')).fitOutputs(services, call, end);
}

/** A leaf comes to an end, or to none at all. */
function ended(answer: StepEnd<SkillValue> | Parked): StepEnd<SkillValue> {
  if (isParked(answer)) throw new Error('a leaf cannot wait for anybody');
  return answer;
}

function specOf(services: RunServices, call: SkillCall): Omit<StepSpec, 'kind'> {
  const { skill, activation, key, input } = call;
  const { node } = activation;
  return {
    key,
    identity: { skill: skill.id, input },
    effects: skill.effects,
    onInDoubt: skill.onInDoubt,
    agentId: node.id,
    units: 0,
    authorize: () => authorizeSkill(services, { node, skill }),
    onDenied: (decision) => deniedEvents(call, decision),
  };
}

function deniedEvents(call: SkillCall, decision: Extract<Decision, { verdict: 'deny' | 'ask' }>): readonly EventDraft[] {
  const { skill, activation } = call;
  const base = { agentId: activation.node.id, skillId: skill.id };
  const needs = decision.verdict === 'deny' ? [...decision.needs] : [];
  return [
    { ...base, type: 'policy.denied', payload: { action: `skill:${skill.id}`, reason: decision.reason, needs } },
    {
      ...base,
      type: 'skill.executed',
      payload: {
        tool: skill.id,
        status: 'denied',
        reason: 'denied',
        policy_decision: 'deny',
        policy_reason: decision.reason,
        effects: skill.effects,
        duration_ms: 0,
      },
    },
  ];
}

async function withEvent(
  services: RunServices,
  done: { call: SkillCall; end: StepEnd<SkillValue>; durationMs: number },
): Promise<StepEnd<SkillValue>> {
  const { call, end, durationMs } = done;
  const { skill } = call;
  const outputs: Json = end.outcome.status === 'ok' ? end.outcome.value.output : { reason: end.outcome.reason, message: end.outcome.message };
  const shown = await services.redactCall(skill.id, { inputs: call.input, outputs });
  const event: EventDraft = {
    type: 'skill.executed',
    agentId: call.activation.node.id,
    skillId: skill.id,
    payload: {
      tool: skill.id,
      status: end.outcome.status,
      reason: end.outcome.status === 'ok' ? null : end.outcome.reason,
      ...shown,
      policy_decision: 'allow',
      policy_reason: null,
      effects: skill.effects,
      duration_ms: durationMs,
    },
  };
  return { ...end, events: [...(end.events ?? []), event] };
}

function resultOf(services: RunServices, outcome: StepOutcome<SkillValue>): SkillResult {
  const maxChars = numberOf(services.snapshot, 'KIT_MAX_RESULT_CHARS');
  if (outcome.status === 'ok') return { status: 'ok', output: shorten(outcome.value.output, maxChars) };
  const { reason, message, data = null } = outcome;
  if (reason === 'denied') return { status: 'denied', output: { status: 'denied', reason: message, needs: needsOf(data) } };
  const facts = data === null ? {} : { data: shorten(data, maxChars) };
  return { status: 'failed', output: { status: 'failed', reason, message: shorten(message, maxChars), ...facts } };
}

/** The first and the last half of a long result, as it enters the conversation (KIT_MAX_RESULT_CHARS); the journal keeps all of it. */
export function shorten(output: Json, maxChars: number): Json {
  const text = typeof output === 'string' ? output : JSON.stringify(output);
  if (text.length <= maxChars) return output;
  const half = Math.floor(maxChars / 2);
  // Halves of a character outside the basic plane would not be text.
  const [start, end] = [text.slice(0, half).toWellFormed(), text.slice(-half).toWellFormed()];
  return `${start}\n... (${text.length} characters in all, the middle is left out) ...\n${end}`;
}
