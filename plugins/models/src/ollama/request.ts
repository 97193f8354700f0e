import type {
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4ToolResultPart,
} from '@ai-sdk/provider';
import type { Json, JsonObject } from '@kit-run/kit/plugin';

type Prompt = LanguageModelV4CallOptions['prompt'];
type Part = Exclude<LanguageModelV4Message['content'], string>[number];

/**
 * Gemma has no thinking mode, and servers have been seen to refuse a request that leaves the choice
 * to them.
 */
const WITHOUT_THINKING = /(^|\/)gemma/i;

/**
 * The body of Ollama's `POST /api/chat`. Sampling settings stand in `options`, where the server
 * looks for them.
 */
export function chatBody(model: string, call: LanguageModelV4CallOptions, isStream: boolean): JsonObject {
  const { responseFormat, temperature, maxOutputTokens, reasoning } = call;
  const options: JsonObject = {
    ...(temperature === undefined ? {} : { temperature }),
    ...(maxOutputTokens === undefined ? {} : { num_predict: maxOutputTokens }),
  };
  const tools = (call.tools ?? []).flatMap((tool) =>
    tool.type === 'function'
      ? [
          {
            type: 'function',
            function: { name: tool.name, description: tool.description ?? '', parameters: toJson(tool.inputSchema) },
          },
        ]
      : [],
  );
  return {
    model,
    stream: isStream,
    messages: call.prompt.flatMap(toMessages),
    ...(tools.length === 0 ? {} : { tools }),
    ...(responseFormat?.type === 'json'
      ? { format: responseFormat.schema === undefined ? 'json' : toJson(responseFormat.schema) }
      : {}),
    ...thinkOf(model, reasoning),
    ...(Object.keys(options).length === 0 ? {} : { options }),
  };
}

function thinkOf(model: string, reasoning: LanguageModelV4CallOptions['reasoning']): JsonObject {
  if (WITHOUT_THINKING.test(model)) return { think: false };
  return reasoning === undefined ? {} : { think: reasoning };
}

/** Calls that the conversation holds already: the next one gets a number that is still free. */
export function countCalls(prompt: Prompt): number {
  return prompt
    .flatMap((message) => (message.role === 'assistant' ? message.content : []))
    .filter((part) => part.type === 'tool-call').length;
}

function toMessages(message: LanguageModelV4Message): readonly JsonObject[] {
  switch (message.role) {
    case 'system':
      return [{ role: 'system', content: message.content }];
    case 'user':
      return [withImages({ role: 'user', content: textOf(message.content) }, message.content.flatMap(imageOf))];
    case 'assistant': {
      const calls = message.content.flatMap((part) =>
        part.type === 'tool-call'
          ? [{ id: part.toolCallId, function: { name: part.toolName, arguments: toJson(part.input) } }]
          : [],
      );
      return [
        { role: 'assistant', content: textOf(message.content), ...(calls.length === 0 ? {} : { tool_calls: calls }) },
      ];
    }
    case 'tool':
      return message.content.flatMap((part) =>
        part.type === 'tool-result'
          ? [
              {
                role: 'tool',
                tool_name: part.toolName,
                tool_call_id: part.toolCallId,
                content: resultText(part.output),
              },
            ]
          : [],
      );
  }
}

const textOf = (parts: readonly Part[]): string =>
  parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');

const withImages = (message: JsonObject, images: readonly string[]): JsonObject =>
  images.length === 0 ? message : { ...message, images };

/** kit gives attachments as base64 text; nothing else becomes a file part. */
function imageOf(part: Part): readonly string[] {
  return part.type === 'file' && part.data.type === 'data' && typeof part.data.data === 'string'
    ? [part.data.data]
    : [];
}

function resultText(output: LanguageModelV4ToolResultPart['output']): string {
  return output.type === 'text' ? output.value : JSON.stringify('value' in output ? output.value : output);
}

/** Schemas and arguments are JSON; the library's types only say so less strictly. */
const toJson = (value: unknown): Json => value as Json;
