import type { Json } from '../domain/json.js';
import type { MessagePart, ModelResponse } from '../domain/ports/model.js';
import { canonicalJson } from '../lib/canonical-json.js';
import { failedEnd } from './step-ends.js';
import type { StepEnd } from './step-types.js';
import type { CallAnswer, ToolCall } from './tool-call.js';

/**
 * How often in a row a model may make the same calls although their arguments were refused each
 * time: it is told what is wrong with them, and told again.
 */
const MAX_EQUAL_TURNS = 3;

/** The calls of a turn that ended in the middle of one, or were all refused for their arguments. */
export interface RefusedTurn {
  readonly isCutOff: boolean;
  /** The calls as JSON, without their ids; equal texts are equal calls. */
  readonly calls: string;
  /** Turns in a row that made just these. */
  readonly times: number;
}

/** What a model called, and why it stopped. */
export interface CallingTurn {
  readonly calls: readonly ToolCall[];
  readonly finish: ModelResponse['finish'];
}

/** The output limit ended this turn in the middle of a call. */
export const isCutInCall = ({ calls, finish }: CallingTurn): boolean =>
  finish === 'length' && calls.some(({ input }) => isUnreadable(input));

/** Arguments that are not JSON reach us as `{__invalid: text}` (domain/ports/model.ts). */
export const isUnreadable = (input: Json): boolean =>
  input === null || typeof input !== 'object' || Array.isArray(input) || '__invalid' in input;

/** Characters that arrived of arguments that cannot be read; null = they came as something else. */
export function readLength(input: Json): number | null {
  const text = input !== null && typeof input === 'object' && '__invalid' in input ? input.__invalid : null;
  return typeof text === 'string' ? text.length : null;
}

/** The end of an agent that gets no further with its calls; null = they are answered. */
export function hopelessEnd(earlier: RefusedTurn | null, turn: CallingTurn): StepEnd<never> | null {
  if (earlier === null) return null;
  if (earlier.isCutOff && isCutInCall(turn))
    return failedEnd('truncated', 'the output limit cut off the calls of the model twice in a row');
  const { times } = earlier;
  return times >= MAX_EQUAL_TURNS - 1 && textOf(turn.calls) === earlier.calls
    ? failedEnd('invalid_calls', `the model made the same calls ${times + 1} times, with arguments that were refused`)
    : null;
}

/** What the next turn is measured by; null = this one got somewhere. */
export function refusedTurn(
  earlier: RefusedTurn | null,
  turn: CallingTurn & { readonly answers: readonly CallAnswer[] },
): RefusedTurn | null {
  const isCutOff = isCutInCall(turn);
  if (!isCutOff && !turn.answers.every(isForArguments)) return null;
  const calls = textOf(turn.calls);
  return { isCutOff, calls, times: earlier?.calls === calls ? earlier.times + 1 : 1 };
}

const isForArguments = ({ isError, output }: CallAnswer): boolean =>
  isError &&
  output !== null &&
  typeof output === 'object' &&
  'reason' in output &&
  output.reason === 'invalid_arguments';

const textOf = (calls: readonly ToolCall[]): string => canonicalJson(calls.map(({ name, input }) => [name, input]));

/**
 * The parts of a turn as the conversation keeps them: what could not be read of a call is not sent
 * back, its answer says what was wrong with it.
 */
export const withoutUnreadable = (parts: readonly MessagePart[]): readonly MessagePart[] =>
  parts.some((part) => part.type === 'tool_call' && isUnreadable(part.input))
    ? parts.map((part) => (part.type === 'tool_call' && isUnreadable(part.input) ? { ...part, input: {} } : part))
    : parts;
