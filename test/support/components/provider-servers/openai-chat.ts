import {
  argumentsText,
  idOf,
  isOneObject,
  type Protocol,
  piecesOf,
  problemsOf,
  type RecordedRequest,
  type ScriptedAnswer,
  type ScriptedCall,
  sse,
  usageOf,
} from './protocol.js';

const errorBody = (message: string, code: number | string): unknown => ({
  error: { message, type: 'test_error', param: null, code },
});

/** OpenAI chat completions, as OpenAI's service and every compatible server speak it. */
export const OPENAI_CHAT: Protocol = {
  name: 'openai-compatible',
  basePath: '/v1',
  streamType: 'text/event-stream',
  // the finish reason, the usage, and the mark of the end
  endings: 3,
  problems: chatProblems,
  isStream: ({ body }) => body.stream === true,
  whole: completion,
  chunks: (answer, request) => [...chunks(answer, request).map(sse), sse('[DONE]')],
  error: errorBody,
  streamError: (message, code) => sse(errorBody(message, code)),
  cutFinish: 'length',
  tooLong: (asked, window) => ({
    message: `This model's maximum context length is ${window} tokens. However, your messages resulted in ${asked} tokens.`,
    code: 'context_length_exceeded',
  }),
  malformed: sse('{"choices": [{"delta": oops'),
};

/** OpenRouter speaks the same, and reports what a call cost to whoever asks for it. */
export const OPENROUTER: Protocol = {
  ...OPENAI_CHAT,
  name: 'openrouter',
  basePath: '/api/v1',
  problems: (request) => [
    ...chatProblems(request),
    ...problemsOf({ 'usage.include asks for the cost': request.body.usage?.include === true }),
  ],
};

function chatProblems({ method, path, headers, body }: RecordedRequest): readonly string[] {
  const messages: readonly Record<string, unknown>[] = Array.isArray(body?.messages) ? body.messages : [];
  const called = messages.flatMap(({ tool_calls }) =>
    Array.isArray(tool_calls) ? tool_calls.map(({ id }) => id) : [],
  );
  return problemsOf({
    'POST /chat/completions': method === 'POST' && path.endsWith('/chat/completions'),
    'a JSON body': headers['content-type']?.startsWith('application/json') === true,
    'a model': typeof body?.model === 'string',
    'messages with known roles':
      messages.length > 0 &&
      messages.every(({ role }) => ['system', 'user', 'assistant', 'tool'].includes(String(role))),
    'each tool message answers a call': messages.every(
      ({ role, tool_call_id }) => role !== 'tool' || called.includes(tool_call_id),
    ),
    'tools are functions': (body?.tools ?? []).every(
      (tool: { type?: unknown; function?: { name?: unknown } }) => tool.type === 'function' && tool.function?.name,
    ),
    'arguments of tools are one object, without alternatives at the top': (body?.tools ?? []).every(
      (tool: { function?: { parameters?: object } }) => isOneObject(tool.function?.parameters),
    ),
    'a schema has a name':
      body?.response_format?.type !== 'json_schema' || typeof body.response_format.json_schema?.name === 'string',
    'a stream asks for its usage': body?.stream !== true || body.stream_options?.include_usage === true,
  });
}

/** One whole chat completion. */
function completion(answer: ScriptedAnswer, { body }: RecordedRequest): unknown {
  const usage = wireUsage(answer);
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: answer.model ?? body.model,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: answer.text ?? null,
          ...thoughtOf(answer),
          ...(answer.calls === undefined ? {} : { tool_calls: answer.calls.map(wireCall) }),
        },
        finish_reason: finishOf(answer),
      },
    ],
    ...(usage === null ? {} : { usage }),
  };
}

/** The chunks of one streamed chat completion, the finish reason and the usage last. */
function chunks(answer: ScriptedAnswer, { body }: RecordedRequest): readonly unknown[] {
  const chunk = (delta: unknown, finish: string | null = null): unknown => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: answer.model ?? body.model,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const usage = wireUsage(answer);
  return [
    chunk({ role: 'assistant', content: '' }),
    ...thoughtDeltas(answer).map((delta) => chunk(delta)),
    ...piecesOf(answer.text ?? '').map((content) => chunk({ content })),
    ...(answer.calls ?? []).flatMap((call, index) =>
      callDeltas(call, index).map((delta) => chunk({ tool_calls: [delta] })),
    ),
    chunk({}, finishOf(answer)),
    ...(usage === null
      ? []
      : [{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: body.model, choices: [], usage }]),
  ];
}

/** What the model thought, in the field of its server. */
function thoughtOf({ reasoning }: ScriptedAnswer): Readonly<Record<string, unknown>> {
  if (reasoning?.says === undefined) return {};
  const { says, text, signature } = reasoning;
  if (says !== 'reasoning_details') return { [says]: text };
  return {
    reasoning: text,
    reasoning_details: [{ type: 'reasoning.text', text, signature, format: 'test', index: 0 }],
  };
}

/** The same in pieces; the signature comes with the last one. */
function thoughtDeltas({ reasoning }: ScriptedAnswer): readonly Readonly<Record<string, unknown>>[] {
  if (reasoning?.says === undefined) return [];
  const { says, text, signature } = reasoning;
  if (says !== 'reasoning_details') return piecesOf(text).map((piece) => ({ [says]: piece }));
  const detail = { type: 'reasoning.text', format: 'test', index: 0 };
  return [
    ...piecesOf(text).map((piece) => ({ reasoning: piece, reasoning_details: [{ ...detail, text: piece }] })),
    { reasoning_details: [{ ...detail, text: '', signature }] },
  ];
}

function callDeltas(call: ScriptedCall, index: number): readonly unknown[] {
  const { id, type, function: fn } = wireCall(call, index);
  return [
    { index, id, type, function: { name: fn.name, arguments: '' } },
    ...piecesOf(fn.arguments).map((piece) => ({ index, function: { arguments: piece } })),
  ];
}

const wireCall = (call: ScriptedCall, index: number) => ({
  id: idOf(call, index),
  type: 'function',
  function: { name: call.name, arguments: argumentsText(call) },
});

const finishOf = (answer: ScriptedAnswer): string =>
  answer.finish ?? ((answer.calls ?? []).length > 0 ? 'tool_calls' : 'stop');

function wireUsage(answer: ScriptedAnswer) {
  const usage = usageOf(answer);
  if (usage === null) return null;
  return {
    prompt_tokens: usage.prompt,
    completion_tokens: usage.completion,
    total_tokens: usage.prompt + usage.completion,
    prompt_tokens_details: {
      cached_tokens: usage.cached ?? 0,
      ...(usage.written === undefined ? {} : { cache_write_tokens: usage.written }),
    },
    completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    ...(usage.cost === undefined ? {} : { cost: usage.cost }),
  };
}
