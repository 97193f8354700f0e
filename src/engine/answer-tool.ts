import type { Json, JsonObject, JsonSchema } from '../domain/json.js';
import type { MessagePart, ModelRequest, ModelResponse, ToolSpec } from '../domain/ports/model.js';
import { readLength } from './refused-turns.js';

/** What a model calls to answer; another name where a skill is called so. */
const NAMES = ['answer', 'final_answer', 'kit_final_answer'];

/** How a request that has tools and a schema is put to a provider, and its answer read. */
export interface AnswerTool {
  readonly request: ModelRequest;
  read(response: ModelResponse): ModelResponse;
}

/**
 * The schema of the answer as one more tool, the last one: the model answers in the turn in which
 * it is done, and what its conversation begins with stays the same from turn to turn. A call of that
 * tool comes back as the text of the answer, so that nobody else knows of it.
 *
 * @param isForced - True when the model is to answer now.
 */
export function answerTool(request: ModelRequest, schema: JsonSchema, isForced: boolean): AnswerTool {
  const name = nameBeside(request.tools);
  const isObject = schema.type === 'object';
  const tool: ToolSpec = {
    name,
    description:
      'Gives your final answer: the arguments are the answer. Call it once, alone, when the task is done; write no answer as text.',
    inputSchema: isObject ? schema : boxed(schema),
  };
  return {
    request: {
      ...request,
      tools: [...request.tools, tool],
      outputSchema: null,
      ...(isForced ? { toolChoice: { type: 'tool', name } } : {}),
    },
    read: (response) => withAnswer(response, name, isObject),
  };
}

const nameBeside = (tools: readonly ToolSpec[]): string =>
  NAMES.find((name) => tools.every((tool) => tool.name !== name)) ?? `answer_${tools.length}`;

/**
 * Arguments are an object; what is none stands in one. Shared definitions stay where they are looked
 * for.
 */
function boxed(schema: JsonSchema): JsonSchema {
  const { $defs, ...value } = schema;
  return {
    type: 'object',
    additionalProperties: false,
    required: ['value'],
    properties: { value },
    ...($defs === undefined ? {} : { $defs }),
  };
}

function withAnswer(response: ModelResponse, name: string, isObject: boolean): ModelResponse {
  const others = response.parts.filter((part) => part.type !== 'tool_call' || part.name !== name);
  const answer = response.parts.findLast(isCall(name));
  if (answer === undefined) return response;
  // An answer beside calls did not wait for what they give: it is given again after them.
  if (others.some(({ type }) => type === 'tool_call')) return { ...response, parts: others };
  const text: MessagePart = { type: 'text', text: textOf(answer.input, isObject) };
  return { ...response, parts: [text], finish: response.finish === 'tool_calls' ? 'stop' : response.finish };
}

type Call = Extract<MessagePart, { type: 'tool_call' }>;

const isCall =
  (name: string) =>
  (part: MessagePart): part is Call =>
    part.type === 'tool_call' && part.name === name;

/**
 * What could not be read stays as it came: it may be the first half of an answer that was cut off.
 */
function textOf(input: Json, isObject: boolean): string {
  if (readLength(input) !== null) return String((input as JsonObject).__invalid);
  const value = !isObject && isBox(input) ? input.value : input;
  return JSON.stringify(value);
}

const isBox = (input: Json): input is { readonly value: Json } =>
  input !== null && typeof input === 'object' && !Array.isArray(input) && 'value' in input;
