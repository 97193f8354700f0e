import type { Json, JsonObject, JsonSchema } from '../domain/json.js';
import type {
  MessagePart,
  ModelCallOptions,
  ModelProvider,
  ModelRequest,
  ModelResponse,
  ModelResult,
  ToolChoice,
  ToolSpec,
} from '../domain/ports/model.js';
import { isObject } from '../lib/json.js';
import { ANSWER_TOOL } from '../prompts/tools.js';
import { providerWith } from './provider-with.js';
import { readLength } from './refused-turns.js';

/** What a model calls to answer; another name where a skill is called so. */
const NAMES = ['answer', 'final_answer', 'kit_final_answer'];

/**
 * A provider that takes tools and a schema in one request, whoever it is. Where it does not do so
 * itself the schema is one more tool, the last one: the model answers in the turn in which it is
 * done, and what its conversation begins with stays the same from turn to turn. A call of that tool
 * comes back as the text of the answer, so that nobody else knows of it.
 */
export const besideTools = (provider: ModelProvider): ModelProvider =>
  provider.schemaBesideTools === true
    ? provider
    : providerWith(provider, {
        schemaBesideTools: true,
        generate: (request, options) => generate(provider, request, options),
      });

async function generate(
  provider: ModelProvider,
  request: ModelRequest,
  options: ModelCallOptions,
): Promise<ModelResult> {
  const { tools, outputSchema: schema, toolChoice } = request;
  if (tools.length === 0 || schema === null) return provider.generate(request, options);
  const name = nameBeside(tools);
  const isWhole = schema.type === 'object';
  const tool: ToolSpec = { name, description: ANSWER_TOOL, inputSchema: isWhole ? schema : boxed(schema) };
  const asked = { ...request, tools: [...tools, tool], outputSchema: null, ...choiceOf(toolChoice, name) };
  const result = await provider.generate(asked, options);
  return result.ok && Array.isArray(result.response.parts)
    ? { ok: true, response: withAnswer(result.response, name, isWhole) }
    : result;
}

/** Who may call nothing else is to answer now. */
function choiceOf(choice: ToolChoice | undefined, name: string): { readonly toolChoice?: ToolChoice } {
  switch (choice?.type) {
    case 'none':
      return { toolChoice: { type: 'tool', name } };
    case 'text':
      return { toolChoice: { type: 'none' } };
    default:
      return {};
  }
}

const nameBeside = (tools: readonly ToolSpec[]): string =>
  NAMES.find((name) => tools.every((tool) => tool.name !== name)) ?? `answer_${tools.length}`;

/**
 * Arguments are an object; what is none stands in one. Shared definitions stay where they are
 * looked for.
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

function withAnswer(response: ModelResponse, name: string, isWhole: boolean): ModelResponse {
  const others = response.parts.filter((part) => part.type !== 'tool_call' || part.name !== name);
  const answer = response.parts.findLast(isCall(name));
  if (answer === undefined) return response;
  // An answer beside calls did not wait for what they give: it is given again after them.
  if (others.some(({ type }) => type === 'tool_call')) return { ...response, parts: others };
  // A text without a word holds what belongs to the message, which goes on without its call.
  const state = others.flatMap((part) => (part.type === 'text' && part.text === '' ? [part.state] : []))[0];
  const text: MessagePart = {
    type: 'text',
    text: textOf(answer.input, isWhole),
    ...(state === undefined ? {} : { state }),
  };
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
function textOf(input: Json, isWhole: boolean): string {
  if (readLength(input) !== null) return String((input as JsonObject).__invalid);
  const value = !isWhole && isBox(input) ? input.value : input;
  return JSON.stringify(value);
}

const isBox = (input: Json): input is { readonly value: Json } => isObject(input) && 'value' in input;
