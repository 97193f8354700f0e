import { isObject, type Json, type JsonObject, type MessagePart } from '@kit-run/kit/plugin';
import { isList, own } from '../shared/json.js';

/**
 * One block of reasoning that the provider signed, and wants back with the calls that followed from
 * it.
 */
export interface Reasoning {
  readonly text: string;
  readonly metadata: JsonObject;
}

/** What a provider gave along with a part. */
export interface PartState {
  readonly reasoning: readonly Reasoning[];
  /** Metadata of the part itself: a thought signature. */
  readonly metadata: JsonObject | null;
  /** What goes back with the whole message, whatever its parts are. */
  readonly message: JsonObject | null;
}

/**
 * The field of a part that holds the state; no field when there is none, so that most journals stay
 * as small as they are.
 */
export function stateField(
  family: string,
  { reasoning, metadata, message }: PartState,
): { readonly state?: JsonObject } {
  if (reasoning.length === 0 && metadata === null && message === null) return {};
  return {
    state: {
      family,
      ...(reasoning.length === 0
        ? {}
        : { reasoning: reasoning.map(({ text, metadata: own }) => ({ text, metadata: own })) }),
      ...(metadata === null ? {} : { metadata }),
      ...(message === null ? {} : { message }),
    },
  };
}

/** The state of a part, if this family gave it: another family could not read it. */
export function stateOf(family: string, part: MessagePart): PartState {
  const state = 'state' in part ? part.state : undefined;
  if (state === undefined || !isObject(state) || own(state, 'family') !== family)
    return { reasoning: [], metadata: null, message: null };
  const reasoning = own(state, 'reasoning');
  return {
    reasoning: isList(reasoning) ? reasoning.flatMap(reasoningOf) : [],
    metadata: objectOrNull(own(state, 'metadata')),
    message: objectOrNull(own(state, 'message')),
  };
}

function reasoningOf(value: Json): readonly Reasoning[] {
  if (!isObject(value)) return [];
  const text = own(value, 'text');
  return [{ text: typeof text === 'string' ? text : '', metadata: objectOrNull(own(value, 'metadata')) ?? {} }];
}

function objectOrNull(value: Json | undefined): JsonObject | null {
  return value !== undefined && isObject(value) ? value : null;
}
