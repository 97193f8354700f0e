import type { JsonObject } from '@kit-run/kit/plugin';

/** Tokens of each answer: small, so that what adds up is told from what is repeated. */
export const TOKENS = { input: 100, output: 20 } as const;

/** APIs of models that the scripted server speaks. */
export type Wire = 'messages' | 'chat' | 'gemini' | 'responses';

/** One answer of the model. */
export interface ModelTurn {
  readonly text: string;
  readonly calls: readonly ModelCall[];
  readonly isScripted: boolean;
  /** Turns of the model before it: programs take answers with one id for one. */
  readonly number: number;
}

export interface ModelCall {
  readonly name: string;
  readonly input: JsonObject;
  readonly id: string;
  /** What a tool that takes text is called with, in the place of its input; null: it takes JSON. */
  readonly text: string | null;
  /** Whose tool it is, in an API that says it beside the name; null: it does not. */
  readonly namespace: string | null;
}

/** The same answer whole, and as the events of a stream: name (null: none) and data. */
export interface WireAnswer {
  readonly whole: JsonObject;
  readonly stream: readonly (readonly [string | null, JsonObject | string])[];
}

const MODEL = 'scripted';

/** Messages API of Anthropic. */
export function messagesEvents({ text, calls, number }: ModelTurn): WireAnswer {
  const blocks: readonly JsonObject[] = [
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...calls.map(({ id, name, input }) => ({ type: 'tool_use', id: `toolu_${id}`, name, input })),
  ];
  const stop = { stop_reason: calls.length === 0 ? 'end_turn' : 'tool_use', stop_sequence: null };
  const usage = { input_tokens: TOKENS.input, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 };
  const head = { id: `msg_${number}`, type: 'message', role: 'assistant', model: MODEL };
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
export function chatEvents({ text, calls: made, number }: ModelTurn): WireAnswer {
  const calls =
    made.length === 0
      ? {}
      : {
          tool_calls: made.map(({ id, name, input }, index) => ({
            index,
            id,
            type: 'function',
            function: { name, arguments: JSON.stringify(input) },
          })),
        };
  const message = { role: 'assistant', content: text, ...calls };
  const reason = made.length === 0 ? 'stop' : 'tool_calls';
  const base = { id: `chat_${number}`, created: 1, model: MODEL };
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
export function geminiEvents({ text, calls }: ModelTurn): WireAnswer {
  const parts: readonly JsonObject[] = [
    ...(text === '' ? [] : [{ text }]),
    ...calls.map(({ name, input }) => ({ functionCall: { name, args: input } })),
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

/** Responses API of OpenAI. */
export function responsesEvents({ text, calls, number }: ModelTurn): WireAnswer {
  const status = 'completed';
  const items: readonly JsonObject[] = [
    ...(text === ''
      ? []
      : [
          {
            type: 'message',
            id: `msg_${number}`,
            role: 'assistant',
            status,
            content: [{ type: 'output_text', text, annotations: [] }],
          },
        ]),
    ...calls.map(({ id, name, input, text: words, namespace }) =>
      words === null
        ? {
            ...{ type: 'function_call', id: `fc_${id}`, call_id: id, name, arguments: JSON.stringify(input), status },
            ...(namespace === null ? {} : { namespace }),
          }
        : { type: 'custom_tool_call', id: `ctc_${id}`, call_id: id, name, input: words, status },
    ),
  ];
  const usage = {
    input_tokens: TOKENS.input,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: TOKENS.output,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: TOKENS.input + TOKENS.output,
  };
  const base = { id: `resp_${number}`, object: 'response', created_at: 1, model: MODEL };
  const whole: JsonObject = { ...base, status, output: [...items], usage };
  const event = (type: string, more: JsonObject): readonly [string, JsonObject] => [type, { type, ...more }];
  return {
    whole,
    stream: [
      event('response.created', { response: { ...base, status: 'in_progress', output: [], usage: null } }),
      ...items.flatMap((item, output_index) => [
        event('response.output_item.added', { output_index, item }),
        event('response.output_item.done', { output_index, item }),
      ]),
      event('response.completed', { response: whole }),
    ],
  };
}
