import type { LanguageModelV4Message, LanguageModelV4ToolResultPart } from '@ai-sdk/provider';
import type { Json, MessagePart, ModelMessage } from '@kit-run/kit/plugin';
import { textOf } from '../shared/conversation.js';
import { isObject, own } from '../shared/json.js';

type UserContent = Extract<LanguageModelV4Message, { role: 'user' }>['content'];
type AssistantContent = Extract<LanguageModelV4Message, { role: 'assistant' }>['content'];

/** A conversation in the form of the language model interface. Tool results stand in messages of their own, wherever they came from. */
export function toPrompt(messages: readonly ModelMessage[]): LanguageModelV4Message[] {
  return messages.flatMap(toMessages);
}

function toMessages(message: ModelMessage): LanguageModelV4Message[] {
  if (message.role === 'system') return [{ role: 'system', content: textOf(message) }];
  if (message.role === 'assistant') return [{ role: 'assistant', content: assistantContent(message.parts) }];
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
    if (part.type === 'image') return [{ type: 'file', mediaType: part.mediaType, data: { type: 'data', data: part.data } }];
    return [];
  });
}

function assistantContent(parts: readonly MessagePart[]): AssistantContent {
  return parts.flatMap((part): AssistantContent => {
    if (part.type === 'text') return [{ type: 'text', text: part.text }];
    if (part.type === 'tool_call') return [{ type: 'tool-call', toolCallId: part.id, toolName: part.name, input: part.input }];
    return [];
  });
}

function toolResult(part: MessagePart): LanguageModelV4ToolResultPart[] {
  if (part.type !== 'tool_result') return [];
  const output = part.isError ? errorOutput(part.output) : part.output;
  const wire =
    typeof output === 'string'
      ? ({ type: 'text', value: output } as const)
      : // JSON of ours is JSON of theirs: theirs differs in that it is not readonly.
        ({ type: 'json', value: structuredClone(output) as never } as const);
  return [{ type: 'tool-result', toolCallId: part.id, toolName: part.name, output: wire }];
}

/** The wire has no mark for a failed tool, so the content says it: a failure never reads like a result. */
function errorOutput(output: Json): Json {
  return isObject(output) && own(output, 'error') !== undefined ? output : { error: output };
}
