import type { LanguageModelV4Message, LanguageModelV4ToolResultPart, SharedV4ProviderOptions } from '@ai-sdk/provider';
import { isObject, type Json, type JsonObject, type MessagePart, type ModelMessage } from '@kit-run/kit/plugin';
import { textOf } from '../shared/conversation.js';
import { own } from '../shared/json.js';
import { stateOf } from './state.js';

type UserContent = Extract<LanguageModelV4Message, { role: 'user' }>['content'];
type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];

/**
 * A conversation in the form of the language model interface. Tool results stand in messages of
 * their own, wherever they came from.
 */
export function toPrompt(family: string, messages: readonly ModelMessage[]): LanguageModelV4Message[] {
  return messages.flatMap((message) => toMessages(family, message));
}

function toMessages(family: string, message: ModelMessage): LanguageModelV4Message[] {
  if (message.role === 'system') return [{ role: 'system', content: textOf(message) }];
  if (message.role === 'assistant') return [assistantMessage(family, message.parts)];
  const results = message.parts.flatMap(toolResult);
  const content = userContent(message.parts);
  return [
    ...(results.length > 0 ? [{ role: 'tool' as const, content: results }] : []),
    ...(content.length > 0 ? [{ role: 'user' as const, content }] : []),
  ];
}

function userContent(parts: readonly MessagePart[]): UserContent {
  return parts.flatMap((part): UserContent => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    if (part.type === 'image')
      return [{ type: 'file', mediaType: part.mediaType, data: { type: 'data', data: part.data } }];
    if (part.type === 'document')
      return [
        {
          type: 'file',
          mediaType: part.mediaType,
          filename: part.name,
          data: { type: 'data', data: part.data },
        },
      ];
    return [];
  });
}

function assistantMessage(family: string, parts: readonly MessagePart[]): LanguageModelV4Message {
  const whole = parts.map((part) => stateOf(family, part).message).find((fields) => fields !== null) ?? null;
  return { role: 'assistant', content: assistantContent(family, parts), ...optionsOf(whole) };
}

function assistantContent(family: string, parts: readonly MessagePart[]): AssistantContent {
  return parts.flatMap((part): AssistantContent => {
    const { reasoning, metadata } = stateOf(family, part);
    const before = reasoning.map((block) => ({
      type: 'reasoning' as const,
      text: block.text,
      ...optionsOf(block.metadata),
    }));
    // A text that only holds a state is none; some services refuse an empty one.
    if (part.type === 'text' && part.text === '') return before;
    if (part.type === 'text') return [...before, { type: 'text', text: part.text, ...optionsOf(metadata) }];
    if (part.type === 'tool_call')
      return [
        ...before,
        { type: 'tool-call', toolCallId: part.id, toolName: part.name, input: part.input, ...optionsOf(metadata) },
      ];
    return [];
  });
}

function optionsOf(metadata: JsonObject | null): { providerOptions?: SharedV4ProviderOptions } {
  // Metadata of a part is what the wire library takes back as its options; both are JSON by
  // provider.
  return metadata === null ? {} : { providerOptions: metadata as SharedV4ProviderOptions };
}

function toolResult(part: MessagePart): LanguageModelV4ToolResultPart[] {
  if (part.type !== 'tool_result') return [];
  return [
    { type: 'tool-result', toolCallId: part.id, toolName: part.name, output: wireOutput(part.output, part.isError) },
  ];
}

function wireOutput(output: Json, isError: boolean): LanguageModelV4ToolResultPart['output'] {
  if (!isError && typeof output === 'string') return { type: 'text', value: output };
  // JSON of ours is JSON of theirs: theirs differs in that it is not readonly.
  const value = structuredClone(isError ? errorOutput(output) : output) as never;
  return { type: isError ? 'error-json' : 'json', value };
}

/**
 * Not every wire has a mark for a failed tool, so the content says it: a failure never reads like a
 * result.
 */
function errorOutput(output: Json): Json {
  return isObject(output) && own(output, 'error') !== undefined ? output : { error: output };
}
