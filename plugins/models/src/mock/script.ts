import {
  isObject,
  type Json,
  type JsonObject,
  type MessagePart,
  type ModelFailure,
  type ModelUsage,
} from '@kit-run/kit/plugin';
import { NO_USAGE } from '../shared/answer.js';
import { isList, numberAt, own, parseJson } from '../shared/json.js';

/** One scripted answer; schemas/mock.json describes its wire form. */
export interface ScriptStep {
  readonly parts: readonly MessagePart[];
  readonly fail: ScriptedFailure | null;
  readonly latencyMs: number | null;
  readonly usage: ModelUsage | null;
}

export interface ScriptedFailure {
  readonly failure: ModelFailure;
  /** How often a step fails before it answers; null = always. */
  readonly times: number | null;
}

const KINDS: readonly ModelFailure['kind'][] = [
  'timeout',
  'rate_limited',
  'overloaded',
  'server',
  'network',
  'cut_stream',
  'malformed',
  'auth',
  'quota',
  'context_overflow',
  'bad_request',
  'unfilled',
];

/**
 * The script's step for a turn; null = the script is over, or there is none. Throws a sentence
 * about a step it cannot read.
 */
export function scriptStep(script: Json | undefined, turn: number): ScriptStep | null {
  if (script === undefined || script === null) return null;
  if (!isList(script)) throw new Error('`script` of the mock provider is a list of steps');
  const step = script[turn];
  if (step === undefined) return null;
  if (!isObject(step)) throw new Error(`script[${turn}] of the mock provider is not a mapping`);
  return {
    parts: [...textParts(step), ...callParts(step, turn)],
    fail: failureOf(own(step, 'fail'), turn),
    latencyMs: numberAt(step, 'latency_ms'),
    usage: usageOf(own(step, 'usage')),
  };
}

function textParts(step: JsonObject): MessagePart[] {
  const text = own(step, 'text');
  const json = own(step, 'json');
  return [...(typeof text === 'string' ? [text] : []), ...(json === undefined ? [] : [JSON.stringify(json)])].map(
    (value) => ({
      type: 'text',
      text: value,
    }),
  );
}

function callParts(step: JsonObject, turn: number): MessagePart[] {
  const calls = own(step, 'tool_calls');
  if (!isList(calls)) return [];
  return calls.filter(isObject).map((call, index) => ({
    type: 'tool_call',
    id: `call_${turn}_${index}`,
    name: String(own(call, 'name') ?? ''),
    input: inputOf(call),
  }));
}

/**
 * As the port says of every provider: arguments that are not a JSON object stay as text under
 * `__invalid`.
 */
function inputOf(call: JsonObject): Json {
  const text = own(call, 'arguments_text');
  if (typeof text !== 'string') return own(call, 'input') ?? {};
  const value = parseJson(text);
  return isObject(value) ? value : { __invalid: text };
}

function failureOf(value: Json | undefined, turn: number): ScriptedFailure | null {
  if (!isObject(value)) return null;
  const kind = KINDS.find((name) => name === own(value, 'kind'));
  if (kind === undefined)
    throw new Error(`script[${turn}].fail.kind of the mock provider is one of ${KINDS.join(', ')}`);
  const message = own(value, 'message');
  return {
    failure: {
      kind,
      message: typeof message === 'string' ? message : `scripted failure: ${kind}`,
      status: numberAt(value, 'status'),
      retryAfterMs: numberAt(value, 'retry_after_ms'),
    },
    times: numberAt(value, 'times'),
  };
}

function usageOf(value: Json | undefined): ModelUsage | null {
  if (!isObject(value)) return null;
  return {
    ...NO_USAGE,
    inputTokens: numberAt(value, 'input_tokens') ?? 0,
    outputTokens: numberAt(value, 'output_tokens') ?? 0,
    costUsd: numberAt(value, 'cost_usd') ?? 0,
  };
}
