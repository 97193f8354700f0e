import type { Json, JsonObject } from '../domain/json.js';
import type { LinkedSkill } from '../domain/linked-skill.js';
import type { MessagePart } from '../domain/ports/model.js';
import { refusals } from '../prompts/calls.js';
import { filesOf } from '../prompts/turns.js';
import { type Activate, type Activation, textTask } from './activation-call.js';
import { retrieveOriginal } from './compress/retrieve.js';
import { type DelegateCall, runDelegations } from './delegate.js';
import { joinBranches } from './join.js';
import { isParked, mergeWaits, type Parked } from './park.js';
import { planCall } from './plan-calls.js';
import type { PlanCall } from './planning/answer-plan-call.js';
import { refuseCall } from './refuse-call.js';
import { outputText } from './results.js';
import type { RunServices } from './services.js';
import { runSkill } from './skills/run-skill.js';
import type { ToolImage } from './skills/tool-result.js';
import { countsPerTurn, type ToolLedger } from './tools.js';

export type ToolCall = Extract<MessagePart, { type: 'tool_call' }>;

/** The result of one call, in call order: every call gets exactly one. */
export interface CallAnswer {
  /** Place of the call in its response: ids are the other side's, and not always distinct. */
  readonly index: number;
  readonly id: string;
  readonly name: string;
  readonly output: Json;
  readonly isError: boolean;
  readonly images?: readonly ToolImage[];
  /** By which `context_retrieve` gives the whole of it; absent: it does not. */
  readonly ref?: string;
}

export type Dispatched =
  | {
      readonly kind: 'answered';
      readonly answers: readonly CallAnswer[];
      readonly results: JsonObject;
      readonly notes: readonly string[];
    }
  /**
   * A child failed: a failed agent fails the agent that needed it (docs/design/decisions.md#data).
   */
  | {
      readonly kind: 'failed';
      readonly childId: string;
      readonly reason: string;
      readonly message: string;
      readonly data: Json;
    }
  /** Something that was called waits for people; what ran beside it came to its own end. */
  | ({ readonly kind: 'parked' } & Parked);

export interface Dispatch {
  readonly activation: Activation;
  readonly activate: Activate;
  readonly ledger: ToolLedger;
  readonly turnKey: string;
  readonly calls: readonly ToolCall[];
  /** Tools that only read because their servers said so when they were offered. */
  readonly reads: readonly string[];
  /** The output limit ended the turn in the middle of a call. */
  readonly isCutOff: boolean;
  /** The agent was to answer and nothing else: each call is refused with this sentence. */
  readonly closed: string | null;
  /** People approved the one call before it was made. Absent: nobody was asked. */
  readonly isApproved?: boolean;
}

/** What is to be done with one call, decided in call order before anything runs. */
export type Plan =
  | { readonly do: 'delegate'; readonly call: DelegateCall }
  | ({ readonly do: 'skill'; readonly skill: LinkedSkill; readonly input: JsonObject } & PlacedCall)
  | ({ readonly do: 'retrieve'; readonly input: JsonObject } & PlacedCall)
  | ({ readonly do: 'plan' } & PlanCall)
  | ({ readonly do: 'refuse'; readonly reason: Refusal } & PlacedCall);

export interface PlacedCall {
  readonly call: ToolCall;
  readonly index: number;
  readonly key: string;
}

export type Refusal =
  | { readonly reason: 'too_many_calls'; readonly message: string }
  | { readonly reason: 'call_limit'; readonly message: string }
  | { readonly reason: 'invalid_arguments'; readonly message: string }
  | { readonly reason: 'requires'; readonly message: string }
  | { readonly reason: 'unknown_tool'; readonly message: string; readonly available: readonly string[] };

/** Carries out the calls of one response side by side and answers them in call order. */
export async function dispatchCalls(services: RunServices, dispatch: Dispatch): Promise<Dispatched> {
  countAnew(services, dispatch);
  const { abort } = services;
  return together(await joinBranches(branchesOf(services, dispatch), { isFailure, abort }));
}

const isFailure = (part: Dispatched): boolean => part.kind === 'failed';

/** In call order, before anything runs. What was planned is held no longer than that. */
function branchesOf(services: RunServices, dispatch: Dispatch): readonly (() => Promise<Dispatched>)[] {
  const plans = dispatch.calls.map((call, index) => planCall(services, dispatch, { call, index }));
  const delegations = plans.flatMap((plan) => (plan.do === 'delegate' ? [plan.call] : []));
  const others = otherBranches(services, dispatch, plans);
  return delegations.length === 0 && others.length > 0
    ? others
    : [delegating(services, dispatch, delegations), ...others];
}

const delegating =
  (services: RunServices, dispatch: Dispatch, calls: readonly DelegateCall[]) => (): Promise<Dispatched> =>
    runDelegations(services, dispatch, calls);

/** What the branches of one response came to, in call order. */
function together(parts: readonly (Dispatched | null)[]): Dispatched {
  const failed = parts.find((part) => part?.kind === 'failed');
  if (failed !== undefined && failed !== null) return failed;
  const waits = parts.flatMap((part) => (part?.kind === 'parked' ? part.parked : []));
  if (waits.length > 0) return { kind: 'parked', parked: mergeWaits(waits) };
  const answered = parts.flatMap((part) => (part?.kind === 'answered' ? [part] : []));
  return {
    kind: 'answered',
    answers: answered.flatMap((part) => part.answers).toSorted((a, b) => a.index - b.index),
    results: Object.assign({}, ...answered.map((part) => part.results)) as JsonObject,
    notes: answered.flatMap((part) => part.notes),
  };
}

/** What bounds the calls of one tool in a turn says nothing of those in the turns before. */
function countAnew({ snapshot }: RunServices, { ledger }: Dispatch): void {
  if (countsPerTurn(snapshot)) ledger.calls.clear();
}

/**
 * Skills run side by side, but one after another where the agent declares an order (`requires`).
 */
function otherBranches(
  services: RunServices,
  dispatch: Dispatch,
  plans: readonly Plan[],
): readonly (() => Promise<Dispatched>)[] {
  const planned = plans.flatMap((plan) => (plan.do === 'plan' ? [plan] : []));
  if (planned.length > 0) {
    const rest = plans.filter((plan) => plan.do !== 'plan');
    return [() => answerPlanCalls(services, dispatch, planned), ...otherBranches(services, dispatch, rest)];
  }
  const answers = plans.flatMap((plan) =>
    plan.do === 'delegate' || plan.do === 'plan' ? [] : [() => answerPlan(services, dispatch, plan)],
  );
  if (Object.keys(dispatch.activation.node.requires).length === 0)
    return answers.map((answer) => async () => dispatchedOf([await answer()]));
  return [
    async () => {
      const done: (CallAnswer | Parked)[] = [];
      // What comes after a call that waits for people may need its answer.
      for (const answer of answers) if (!done.some(isParked)) done.push(await answer());
      return dispatchedOf(done);
    },
  ];
}

async function answerPlanCalls(
  services: RunServices,
  dispatch: Dispatch,
  calls: readonly PlanCall[],
): Promise<Dispatched> {
  const { answerPlanCall } = await import('./planning/answer-plan-call.js');
  const done: CallAnswer[] = [];
  for (const call of calls) done.push(await answerPlanCall(services, dispatch, call));
  return dispatchedOf(done);
}

function dispatchedOf(done: readonly (CallAnswer | Parked)[]): Dispatched {
  const waits = done.flatMap((one) => (isParked(one) ? one.parked : []));
  if (waits.length > 0) return { kind: 'parked', parked: waits };
  return { kind: 'answered', answers: done.flatMap((one) => (isParked(one) ? [] : [one])), results: {}, notes: [] };
}

function answerPlan(
  services: RunServices,
  dispatch: Dispatch,
  plan: Exclude<Plan, { do: 'delegate' | 'plan' }>,
): Promise<CallAnswer | Parked> {
  const { node } = dispatch.activation;
  switch (plan.do) {
    case 'skill':
      return callSkill(services, dispatch, plan);
    case 'retrieve':
      return retrieveOriginal(services, { ...plan, node });
    case 'refuse':
      return refuseCall(services, { ...plan, agentId: node.id });
  }
}

async function callSkill(
  services: RunServices,
  dispatch: Dispatch,
  plan: Extract<Plan, { do: 'skill' }>,
): Promise<CallAnswer | Parked> {
  const { ledger, activation } = dispatch;
  const missing = (activation.node.requires[plan.skill.id] ?? []).filter((id) => !ledger.satisfied.has(id));
  if (missing.length > 0) {
    const message = refusals.first(missing);
    return refuseCall(services, { ...plan, reason: { reason: 'requires', message }, agentId: activation.node.id });
  }
  const outcome = await runSkill(services, {
    activation,
    skill: plan.skill,
    key: plan.key,
    input: plan.input,
    isForModel: true,
    ...(dispatch.isApproved === undefined ? {} : { isApproved: dispatch.isApproved }),
  });
  if (isParked(outcome)) return outcome;
  if (outcome.status === 'ok') ledger.satisfied.add(plan.skill.id);
  if (outcome.isCut === true) ledger.isCut = true;
  const { output, images, source } = outcome;
  return {
    index: plan.index,
    id: plan.call.id,
    name: plan.call.name,
    output: source === undefined ? output : `${outputText(output)}\n[from ${source}]`,
    isError: outcome.status !== 'ok',
    ...(outcome.ref === undefined ? {} : { ref: outcome.ref }),
    ...(images === undefined ? {} : { images }),
  };
}

/** They appear only in user messages: those of a result follow it, and say whose they are. */
export const imageParts = ({ name, images = [] }: CallAnswer): readonly MessagePart[] =>
  images.length === 0
    ? []
    : [
        ...textTask(
          filesOf(
            name,
            images.map(({ type }) => type),
          ),
        ),
        ...images,
      ];
