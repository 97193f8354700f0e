import { type AgentTask, isObject, type Json, type JsonObject } from '@kit-run/kit/plugin';
import { memberOf } from '../rpc/members.js';
import { invalid, saidBy } from './ask.js';

/** States of both versions; a state that nobody answers for here ends the task. */
const STATES: Readonly<Record<string, AgentTask['state']>> = {
  submitted: 'working',
  working: 'working',
  'input-required': 'input-required',
  'auth-required': 'input-required',
  completed: 'completed',
  failed: 'failed',
  rejected: 'failed',
  canceled: 'canceled',
};

/** The state that a word of either version means; null: none that is known here. */
export const stateOf = (name: Json | undefined): AgentTask['state'] | null => {
  if (typeof name !== 'string') return null;
  const word = name
    .replace(/^TASK_STATE_/, '')
    .toLowerCase()
    .replaceAll('_', '-');
  return Object.hasOwn(STATES, word) ? (STATES[word] ?? null) : null;
};

const objectsIn = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? value.filter(isObject) : [];

function partsOf(holder: JsonObject): readonly Json[] {
  return objectsIn(holder.parts).flatMap((part): readonly Json[] => {
    if (typeof part.text === 'string') return [part.text];
    const data = memberOf(part, 'data');
    return data === undefined ? [] : [data];
  });
}

/** One part is what it is; several are a text. */
function outputOf(artifacts: readonly JsonObject[]): Json {
  const [only, ...others] = artifacts.flatMap(partsOf);
  if (only === undefined) return '';
  return others.length === 0
    ? only
    : [only, ...others].map((part) => (typeof part === 'string' ? part : JSON.stringify(part))).join('\n');
}

/** A peer that counts more has used that much, and one whose price is higher names none. */
const MOST_TOKENS = 1e12;
const MOST_USD = 1e9;

const countOf = (value: Json | undefined): number | null =>
  typeof value === 'number' && value >= 0 ? Math.min(Math.trunc(value), MOST_TOKENS) : null;

/** Null: the peer says nothing of it. What nobody can read is a cost that is unknown. */
function usageOf(swarmkit: JsonObject): AgentTask['usage'] {
  const usage = memberOf(swarmkit, 'usage') ?? null;
  if (usage === null) return null;
  const { input_tokens, output_tokens, cost_usd: cost } = isObject(usage) ? usage : {};
  const [inputTokens, outputTokens] = [countOf(input_tokens), countOf(output_tokens)];
  const isPrice = typeof cost === 'number' && cost >= 0 && cost <= MOST_USD;
  return {
    inputTokens: inputTokens ?? 0,
    outputTokens: outputTokens ?? 0,
    costUsd: isPrice && inputTokens !== null && outputTokens !== null ? cost : null,
  };
}

/** An address that people can open. */
function gateOf(swarmkit: JsonObject): string | null {
  const { gate_url: gate } = swarmkit;
  if (typeof gate !== 'string' || gate.length > 1000) return null;
  const url = URL.parse(gate);
  return url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' ? url.href : null;
}

/** A task in the words of either version. Throws KIT_AGENT_INVALID. */
export function readTask(url: string, answer: JsonObject): AgentTask {
  const task = isObject(answer.task) ? answer.task : answer;
  const status = isObject(task.status) ? task.status : {};
  const state = stateOf(status.state);
  const { id, contextId } = task;
  if (typeof id !== 'string' || id === '' || id.length > 512 || state === null)
    throw invalid(url, 'answers with something that is not a task');
  const metadata = isObject(task.metadata) ? task.metadata : {};
  const swarmkit = isObject(metadata.swarmkit) ? metadata.swarmkit : {};
  const said = isObject(status.message) ? partsOf(status.message).filter((part) => typeof part === 'string') : [];
  return {
    id,
    contextId: typeof contextId === 'string' && contextId.length <= 1024 ? contextId : null,
    state,
    text: saidBy(said.join('\n')),
    output: state === 'completed' ? outputOf(objectsIn(task.artifacts)) : '',
    gateUrl: gateOf(swarmkit),
    runId: typeof swarmkit.run_id === 'string' ? swarmkit.run_id.slice(0, 128) : null,
    usage: usageOf(swarmkit),
  };
}
