import type { Json, JsonObject } from '../domain/json.js';
import type { MessagePart } from '../domain/ports/model.js';
import type { LinkedSkill } from '../domain/workspace.js';
import type { Activation } from './activation.js';
import { type DelegateCall, runDelegations } from './delegate.js';
import { joinBranches } from './join.js';
import { refuseCall } from './refuse-call.js';
import { numberOf, type RunServices } from './services.js';
import { runSkill } from './skills/run-skill.js';
import { delegateTarget, heldSkills, maxCalls, offeredTools, type ToolLedger } from './tools.js';

export type ToolCall = Extract<MessagePart, { type: 'tool_call' }>;

/** The result of one call, in call order: every call gets exactly one. */
export interface CallAnswer {
  readonly id: string;
  readonly name: string;
  readonly output: Json;
  readonly isError: boolean;
}

export type Dispatched =
  | { readonly kind: 'answered'; readonly answers: readonly CallAnswer[]; readonly results: JsonObject; readonly notes: readonly string[] }
  /** A child failed: a failed agent fails the agent that needed it (DESIGN section 1). */
  | { readonly kind: 'failed'; readonly childId: string; readonly reason: string; readonly message: string; readonly data: Json };

export interface Dispatch {
  readonly activation: Activation;
  readonly ledger: ToolLedger;
  readonly turnKey: string;
  readonly calls: readonly ToolCall[];
}

/** What is to be done with one call, decided in call order before anything runs. */
type Plan =
  | { readonly do: 'delegate'; readonly call: DelegateCall }
  | { readonly do: 'skill'; readonly call: ToolCall; readonly skill: LinkedSkill; readonly key: string; readonly input: JsonObject }
  | { readonly do: 'refuse'; readonly call: ToolCall; readonly key: string; readonly reason: Refusal };

export type Refusal =
  | { readonly reason: 'too_many_calls'; readonly message: string }
  | { readonly reason: 'call_limit'; readonly message: string }
  | { readonly reason: 'invalid_arguments'; readonly message: string }
  | { readonly reason: 'requires'; readonly message: string }
  | { readonly reason: 'unknown_tool'; readonly message: string; readonly available: readonly string[] };

/** Carries out the calls of one response side by side and answers them in call order. */
export async function dispatchCalls(services: RunServices, dispatch: Dispatch): Promise<Dispatched> {
  const plans = dispatch.calls.map((call, index) => planCall(services, dispatch, { call, index }));
  const delegations = plans.flatMap((plan) => (plan.do === 'delegate' ? [plan.call] : []));
  const branches = [() => runDelegations(services, dispatch, delegations), ...otherBranches(services, dispatch, plans)];
  const parts = await joinBranches<Dispatched>(branches, { isFailure: (part) => part.kind === 'failed', abort: services.abort });
  const failed = parts.find((part) => part?.kind === 'failed');
  if (failed !== undefined && failed !== null) return failed;
  const answered = parts.flatMap((part) => (part?.kind === 'answered' ? [part] : []));
  const byId = new Map(answered.flatMap((part) => part.answers).map((answer) => [answer.id, answer]));
  return {
    kind: 'answered',
    answers: dispatch.calls.flatMap((call) => byId.get(call.id) ?? []),
    results: Object.assign({}, ...answered.map((part) => part.results)) as JsonObject,
    notes: answered.flatMap((part) => part.notes),
  };
}

/** Skills run side by side, but one after another where the agent declares an order (`requires`). */
function otherBranches(services: RunServices, dispatch: Dispatch, plans: readonly Plan[]): readonly (() => Promise<Dispatched>)[] {
  const answers = plans.flatMap((plan) => (plan.do === 'delegate' ? [] : [() => answerPlan(services, dispatch, plan)]));
  if (Object.keys(dispatch.activation.node.requires).length === 0) return answers.map((answer) => async () => answeredWith([await answer()]));
  return [
    async () => {
      const done: CallAnswer[] = [];
      for (const answer of answers) done.push(await answer());
      return answeredWith(done);
    },
  ];
}

const answeredWith = (answers: readonly CallAnswer[]): Dispatched => ({ kind: 'answered', answers, results: {}, notes: [] });

function answerPlan(services: RunServices, dispatch: Dispatch, plan: Exclude<Plan, { do: 'delegate' }>): Promise<CallAnswer> {
  return plan.do === 'skill' ? callSkill(services, dispatch, plan) : refuseCall(services, { ...plan, agentId: dispatch.activation.node.id });
}

async function callSkill(services: RunServices, dispatch: Dispatch, plan: Extract<Plan, { do: 'skill' }>): Promise<CallAnswer> {
  const { ledger, activation } = dispatch;
  const missing = (activation.node.requires[plan.skill.id] ?? []).filter((id) => !ledger.satisfied.has(id));
  if (missing.length > 0) {
    const message = `call ${missing.join(', ')} first`;
    return refuseCall(services, { call: plan.call, key: plan.key, reason: { reason: 'requires', message }, agentId: activation.node.id });
  }
  const outcome = await runSkill(services, { activation, skill: plan.skill, key: plan.key, input: plan.input });
  if (outcome.status === 'ok') ledger.satisfied.add(plan.skill.id);
  return { id: plan.call.id, name: plan.call.name, output: outcome.output, isError: outcome.status !== 'ok' };
}

function planCall(services: RunServices, dispatch: Dispatch, at: { call: ToolCall; index: number }): Plan {
  const { call, index } = at;
  const { activation, ledger, turnKey } = dispatch;
  const child = delegateTarget(activation.node, call.name);
  const key = `${turnKey}/c${index}:${encodeURIComponent(child?.id ?? call.name)}`;
  const refuse = (reason: Refusal): Plan => ({ do: 'refuse', call, key, reason });
  const maxTools = numberOf(services.snapshot, 'KIT_MAX_TOOLS');
  if (index >= maxTools) return refuse({ reason: 'too_many_calls', message: `one response may make ${maxTools} calls; send this one again` });
  const input = objectInput(call.input);
  const skill = heldSkills(services.snapshot, activation.node).find((one) => one.id === call.name);
  if (child === null && skill === undefined) {
    const available = offeredTools(services.snapshot, activation.node, ledger).map((tool) => tool.name);
    return refuse({ reason: 'unknown_tool', message: `there is no tool ${call.name}; the tools are ${available.join(', ')}`, available });
  }
  if (input === null) return refuse({ reason: 'invalid_arguments', message: 'the arguments are no JSON object' });
  if (child !== null) return planDelegation(services, dispatch, { call, key, child: child.id, input });
  if (skill === undefined) throw new Error('unreachable: neither child nor skill');
  const count = ledger.calls.get(call.name) ?? 0;
  const max = maxCalls(services.snapshot, skill);
  if (count >= max)
    return refuse({ reason: 'call_limit', message: `${call.name} was called ${max} times, which is its limit; write down what was found` });
  ledger.calls.set(call.name, count + 1);
  return { do: 'skill', call, skill, key, input };
}

function planDelegation(services: RunServices, dispatch: Dispatch, at: { call: ToolCall; key: string; child: string; input: JsonObject }): Plan {
  const { call, key, child, input } = at;
  const task = input.task;
  if (typeof task !== 'string' || task.trim() === '')
    return { do: 'refuse', call, key, reason: { reason: 'invalid_arguments', message: 'give the task as text: {"task": "..."}' } };
  const count = dispatch.ledger.delegations.get(child) ?? 0;
  const max = numberOf(services.snapshot, 'KIT_MAX_DELEGATIONS_PER_CHILD');
  if (count >= max) return { do: 'refuse', call, key, reason: { reason: 'call_limit', message: `${child} had ${max} tasks, which is its limit` } };
  dispatch.ledger.delegations.set(child, count + 1);
  return { do: 'delegate', call: { id: call.id, name: call.name, childId: child, task, key } };
}

/** Arguments that are no JSON reach us as `{__invalid: text}` (domain/ports/model.ts). */
function objectInput(input: Json): JsonObject | null {
  if (input === null || typeof input !== 'object' || Array.isArray(input)) return null;
  return '__invalid' in input ? null : (input as JsonObject);
}
