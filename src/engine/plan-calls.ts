import type { AgentNode } from '../domain/agent-node.js';
import type { Json, JsonObject } from '../domain/json.js';
import { numberOf, ruleSetOf } from '../domain/snapshot.js';
import { sha256Hex } from '../lib/sha256.js';
import { refusals } from '../prompts/calls.js';
import { retrieveTools } from './compress/retrieve.js';
import { isPlanTool, offersPlanTool } from './planning/plan-tools.js';
import { isUnreadable, readLength } from './refused-turns.js';
import type { RunServices } from './services.js';
import type { CallPlan, Dispatch, KeyedCall, Refusal, ToolCall } from './tool-call.js';
import {
  callableSkills,
  countsPerTurn,
  delegateTarget,
  maxCalls,
  maxOwnCalls,
  offeredTools,
  toolsOf,
} from './tools.js';

/** A key is in an index, and PostgreSQL refuses an entry of more than 2.7 kB. */
const MAX_NAME_CHARS = 1_000;

/**
 * Key of one call of a response (docs/design/journal.md#keys). A model may call by any name: half a
 * character is no part of a key, and one that is longer than any tool's stands there by its digest.
 */
export function callKey(turnKey: string, { index, name }: { readonly index: number; readonly name: string }): string {
  const encoded = encodeURIComponent(name.toWellFormed());
  return `${turnKey}/c${index}:${encoded.length > MAX_NAME_CHARS ? sha256Hex(name) : encoded}`;
}

/**
 * Decides what is done with one call of a response, and counts it; called in call order, before
 * anything runs.
 */
export function planCall(
  services: RunServices,
  dispatch: Dispatch,
  at: { readonly call: ToolCall; readonly index: number },
): CallPlan {
  const { call, index } = at;
  const { activation, ledger, turnKey } = dispatch;
  const child = delegateTarget(activation.node, call.name);
  const keyed: KeyedCall = { call, index, key: callKey(turnKey, { index, name: child?.id ?? call.name }) };
  const refuse = (reason: Refusal): CallPlan => ({ do: 'refuse', ...keyed, reason });
  const maxTools = numberOf(services.snapshot, 'KIT_MAX_TOOLS');
  if (index >= maxTools) return refuse({ reason: 'too_many_calls', message: refusals.tooMany(maxTools) });
  const held = callableSkills(services.snapshot, activation.node, ledger);
  const skill = held.find((one) => one.id === call.name);
  const { isCut } = ledger;
  const own = retrieveTools(services.snapshot, { hasTools: held.length > 0, isCut });
  const isRetrieval = own.some(({ name }) => name === call.name);
  const { plan } = ledger;
  const planTool =
    plan !== null && isPlanTool(call.name) && offersPlanTool(plan, call.name) ? { plan, tool: call.name } : null;
  if (child === null && skill === undefined && planTool === null && !isRetrieval) {
    // Before rule set 3 such a tool was in no request, and a call of it was recorded as unknown.
    const isLater =
      ruleSetOf(services.snapshot) >= 3 &&
      toolsOf(services.snapshot, activation.node, ledger).some(({ name }) => name === call.name);
    if (isLater) return refuse({ reason: 'requires', message: refusals.beforeScope(call.name) });
    const available = offeredTools(services.snapshot, activation.node, ledger).map((tool) => tool.name);
    return refuse({ reason: 'unknown_tool', message: refusals.unknownTool(call.name, available), available });
  }
  if (dispatch.closed !== null) return refuse({ reason: 'call_limit', message: dispatch.closed });
  const input = objectInput(call.input);
  if (input === null) return refuse({ reason: 'invalid_arguments', message: unreadable(call, dispatch.isCutOff) });
  if (child !== null) return planDelegation(services, dispatch, { ...keyed, child, input });
  const count = ledger.calls.get(call.name) ?? 0;
  const max =
    skill === undefined
      ? maxOwnCalls(services.snapshot, call.name)
      : maxCalls(services.snapshot, skill, dispatch.reads);
  if (count >= max)
    return refuse({
      reason: 'call_limit',
      message: refusals.limit(call.name, max, countsPerTurn(services.snapshot)),
    });
  ledger.calls.set(call.name, count + 1);
  if (planTool !== null) return { do: 'plan', ...keyed, ...planTool, input };
  return skill === undefined ? { do: 'retrieve', ...keyed, input } : { do: 'skill', ...keyed, skill, input };
}

type Delegation = KeyedCall & { readonly child: AgentNode; readonly input: JsonObject };

function planDelegation(services: RunServices, dispatch: Dispatch, at: Delegation): CallPlan {
  const { call, index, key, child, input } = at;
  const refuse = (reason: Refusal): CallPlan => ({ do: 'refuse', call, index, key, reason });
  const task = input.task;
  if (typeof task !== 'string' || task.trim() === '')
    return refuse({ reason: 'invalid_arguments', message: refusals.noTask });
  const max = numberOf(services.snapshot, 'KIT_MAX_DELEGATIONS_PER_CHILD');
  if (!countDelegation(dispatch, child, max))
    return refuse({ reason: 'call_limit', message: refusals.taskLimit(child.id, max) });
  return { do: 'delegate', call: { index, id: call.id, name: call.name, childId: child.id, task } };
}

/**
 * False when the limit is reached. Children that depend on each other all run, once a response,
 * whichever of them is called.
 */
function countDelegation(dispatch: Dispatch, child: AgentNode, max: number): boolean {
  const { ledger, activation, turnKey } = dispatch;
  const { children } = activation.node;
  const inWaves = children.some((one) => one.dependsOn.length > 0);
  if (inWaves && ledger.wave === turnKey) return true;
  const running = inWaves ? children : [child];
  const counts = running.map((one) => ({ id: one.id, count: ledger.delegations.get(one.id) ?? 0 }));
  if (counts.some(({ count }) => count >= max)) return false;
  for (const { id, count } of counts) ledger.delegations.set(id, count + 1);
  if (inWaves) ledger.wave = turnKey;
  return true;
}

const objectInput = (input: Json): JsonObject | null => (isUnreadable(input) ? null : (input as JsonObject));

/** Says what happened to the arguments, and what would do. */
const unreadable = ({ input }: ToolCall, isCutOff: boolean): string =>
  isCutOff ? refusals.cutArguments(readLength(input)) : refusals.noArguments;
