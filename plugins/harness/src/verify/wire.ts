import type { JsonObject } from '@kit-run/kit/plugin';

/** Tokens of each answer: small, so that what adds up is told from what is repeated. */
export const TOKENS = { input: 100, output: 20 } as const;

/** APIs of models that the scripted server speaks. */
export type Wire = 'messages' | 'chat' | 'gemini';

/** One answer of the model. */
export interface ModelTurn {
  readonly text: string;
  readonly call: { readonly name: string; readonly input: JsonObject; readonly id: string } | null;
  readonly isScripted: boolean;
}

/** The same answer whole, and as the events of a stream: name (null: none) and data. */
export interface WireAnswer {
  readonly whole: JsonObject;
  readonly stream: readonly (readonly [string | null, JsonObject | string])[];
}

const MODEL = 'scripted';

/** Messages API of Anthropic. */
export function messagesEvents({ text, call }: ModelTurn): WireAnswer {
  const blocks: readonly JsonObject[] = [
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...(call === null ? [] : [{ type: 'tool_use', id: `toolu_${call.id}`, name: call.name, input: call.input }]),
  ];
  const stop = { stop_reason: call === null ? 'end_turn' : 'tool_use', stop_sequence: null };
  const usage = { input_tokens: TOKENS.input, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const head = { id: 'msg_scripted', type: 'message', role: 'assistant', model: MODEL };
  const begun = { ...head, content: [], stop_reason: null, stop_sequence: null, usage: { ...usage, output_tokens: 1 } };
  const pieces = blocks.flatMap((block, index): WireAnswer['stream'] => {
    const isText = block.type === 'text';
    const delta: JsonObject = isText
      ? { type: 'text_delta', text: block.text ?? '' }
      : { type: 'input_json_delta', partial_json: JSON.stringify(block.input) };
    const empty: JsonObject = isText ? { ...block, text: '' } : { ...block, input: {} };
    return [
      ['content_block_start', { type: 'content_block_start', index, content_block: empty }],
      ['content_block_delta', { type: 'content_block_delta', index, delta }],
      ['content_block_stop', { type: 'content_block_stop', index }],
    ];
  });
  return {
    whole: { ...head, content: [...blocks], ...stop, usage: { ...usage, output_tokens: TOKENS.output } },
    stream: [
      ['message_start', { type: 'message_start', message: begun }],
      ...pieces,
      ['message_delta', { type: 'message_delta', delta: stop, usage: { output_tokens: TOKENS.output } }],
      ['message_stop', { type: 'message_stop' }],
    ],
  };
}

/** Chat Completions. */
export function chatEvents({ text, call }: ModelTurn): WireAnswer {
  const calls =
    call === null
      ? {}
      : {
          tool_calls: [
            {
              index: 0,
              id: call.id,
              type: 'function',
              function: { name: call.name, arguments: JSON.stringify(call.input) },
            },
          ],
        };
  const message = { role: 'assistant', content: text, ...calls };
  const reason = call === null ? 'stop' : 'tool_calls';
  const base = { id: 'chat_scripted', created: 1, model: MODEL };
  const usage = {
    prompt_tokens: TOKENS.input,
    completion_tokens: TOKENS.output,
    total_tokens: TOKENS.input + TOKENS.output,
  };
  const chunk = (choices: readonly JsonObject[], more: JsonObject = {}): JsonObject => ({
    ...base,
    object: 'chat.completion.chunk',
    choices: [...choices],
    ...more,
  });
  return {
    whole: { ...base, object: 'chat.completion', choices: [{ index: 0, message, finish_reason: reason }], usage },
    stream: [
      [null, chunk([{ index: 0, delta: message, finish_reason: null }])],
      [null, chunk([{ index: 0, delta: {}, finish_reason: reason }])],
      [null, chunk([], { usage })],
      [null, '[DONE]'],
    ],
  };
}

/** generateContent of Gemini. */
export function geminiEvents({ text, call }: ModelTurn): WireAnswer {
  const parts: readonly JsonObject[] = [
    ...(text === '' ? [] : [{ text }]),
    ...(call === null ? [] : [{ functionCall: { name: call.name, args: call.input } }]),
  ];
  const whole: JsonObject = {
    candidates: [{ content: { role: 'model', parts: [...parts] }, finishReason: 'STOP', index: 0 }],
    usageMetadata: {
      promptTokenCount: TOKENS.input,
      candidatesTokenCount: TOKENS.output,
      totalTokenCount: TOKENS.input + TOKENS.output,
    },
    modelVersion: MODEL,
  };
  return { whole, stream: [[null, whole]] };
}
