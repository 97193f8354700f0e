import type { ModelFailure, ModelResponse } from '../domain/ports/model.js';
import type { Fallback, ModelCall } from './model-ask.js';

type Failed = ModelFailure['kind'] | ModelResponse['finish'];

/** The provider is away, or refuses account or question. A fault of the request is neither. */
const ELSEWHERE: ReadonlySet<Failed> = new Set([
  'timeout',
  'rate_limited',
  'overloaded',
  'server',
  'network',
  'cut_stream',
  'malformed',
  'auth',
  'quota',
  'content_filter',
]);

/** The call as the n-th model is asked it, with options of its own: they are in its words. */
export function callAt(call: ModelCall, at: number): ModelCall {
  const { model: name, provider, options } = call.fallback?.models[at - 1] ?? {};
  if (name === undefined || provider === undefined) return call;
  const choice = { ...call.choice, options: options ?? {} };
  return { ...call, provider, model: name, choice, askedOf: { provider: call.provider, model: call.model } };
}

/**
 * The next model that may be asked, or null. A conversation that carries the reasoning of a
 * provider is finished by that provider: nobody else can read it
 * (docs/design/execution.md#fallback).
 */
export function nextAt(call: ModelCall, at: number, failed: Failed): number | null {
  const models = call.fallback?.models ?? [];
  if (!ELSEWHERE.has(failed)) return null;
  const next = models.findIndex(
    ({ provider }, index) => index >= at && (provider === callAt(call, at).provider || !carriesState(call)),
  );
  return next === -1 ? null : next + 1;
}

const carriesState = ({ messages }: ModelCall): boolean =>
  messages.some(({ parts }) => parts.some((part) => 'state' in part && part.state !== undefined));

/** Which of its models gave an answer: the conversation goes on with that one. */
export function servedAt(fallback: Fallback, served: { readonly provider: string; readonly model: string }): number {
  const at = fallback.models.findIndex(({ provider, model }) => provider === served.provider && model === served.model);
  return at === -1 ? fallback.from : at + 1;
}
