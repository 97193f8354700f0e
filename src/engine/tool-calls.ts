import type { JsonObject } from '../domain/json.js';
import type { MessagePart } from '../domain/ports/model.js';
import { refusals } from '../prompts/calls.js';
import { filesOf } from '../prompts/turns.js';
import { textTask } from './activation-call.js';
import { retrieveOriginal } from './compress/retrieve.js';
import { runDelegations } from './delegate.js';
import { joinBranches } from './join.js';
import { isParked, mergeWaits, type Parked } from './park.js';
import { planCall } from './plan-calls.js';
import { refuseCall } from './refuse-call.js';
import { outputText } from './results.js';
import type { RunServices } from './services.js';
import { runSkill } from './skills/run-skill.js';
import type { CallAnswer, CallPlan, DelegateCall, Dispatch, Dispatched, PlanCall } from './tool-call.js';
import { countsPerTurn } from './tools.js';

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
  plans: readonly CallPlan[],
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
  plan: Exclude<CallPlan, { do: 'delegate' | 'plan' }>,
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
  plan: Extract<CallPlan, { do: 'skill' }>,
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
