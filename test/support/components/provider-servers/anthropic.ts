import {
  argumentsObject,
  argumentsText,
  eventSse,
  idOf,
  isOneObject,
  type Protocol,
  piecesOf,
  problemsOf,
  type RecordedRequest,
  type ScriptedAnswer,
  type ScriptedCall,
  usageOf,
} from './protocol.js';

const ERROR_TYPES: Readonly<Record<string, string>> = {
  '401': 'authentication_error',
  '429': 'rate_limit_error',
  '500': 'api_error',
  '529': 'overloaded_error',
};

const errorBody = (message: string, status: number | string) => ({
  type: 'error',
  error: { type: ERROR_TYPES[String(status)] ?? 'invalid_request_error', message },
});

/** Anthropic Messages, with the events of a stream as its service names them. */
export const ANTHROPIC: Protocol = {
  name: 'anthropic',
  basePath: '/v1',
  streamType: 'text/event-stream',
  // the end of the last block, the stop reason with the usage, and the end of the message
  endings: 3,
  problems,
  isStream: ({ body }) => body.stream === true,
  whole: (answer, request) => ({
    ...head(answer, request),
    content: blocks(answer, request),
    stop_reason: stopOf(answer, request),
    usage: wireUsage(answer),
  }),
  chunks,
  error: errorBody,
  streamError: (message, status) => eventSse(errorBody(message, status)),
  cutFinish: 'max_tokens',
  tooLong: (asked, window) => ({ message: `prompt is too long: ${asked} tokens > ${window} maximum` }),
  malformed: 'event: content_block_delta\ndata: {"type": oops\n\n',
};

interface WireMessage {
  readonly role: string;
  readonly content: readonly {
    readonly type: string;
    readonly id?: string;
    readonly tool_use_id?: string;
    readonly text?: string;
  }[];
}

function problems({ method, path, headers, body }: RecordedRequest): readonly string[] {
  const messages: readonly WireMessage[] = Array.isArray(body?.messages) ? body.messages : [];
  const contents = messages.map(({ content }) => content);
  const called = contents.flat().flatMap((part) => (part.type === 'tool_use' ? [part.id] : []));
  return problemsOf({
    'POST /v1/messages': method === 'POST' && path === '/v1/messages',
    'a key in x-api-key': typeof headers['x-api-key'] === 'string' && headers.authorization === undefined,
    'a version': typeof headers['anthropic-version'] === 'string',
    'a model': typeof body?.model === 'string',
    max_tokens: Number.isInteger(body?.max_tokens) && body.max_tokens >= 1,
    'turns alternate and a user begins':
      messages.length > 0 && messages.every(({ role }, index) => role === (index % 2 === 0 ? 'user' : 'assistant')),
    'content is a list of blocks': contents.every(
      (content) => Array.isArray(content) && content.every(({ type }) => BLOCKS.includes(type)),
    ),
    'each tool result answers a call': contents
      .flat()
      .every((part) => part.type !== 'tool_result' || called.includes(part.tool_use_id)),
    'tools have an object as input': (body?.tools ?? []).every(
      (tool: { name?: unknown; input_schema?: { type?: unknown } }) =>
        tool.name && tool.input_schema?.type === 'object',
    ),
    'arguments of tools are one object, without alternatives at the top': (body?.tools ?? []).every(
      (tool: { input_schema?: object }) => isOneObject(tool.input_schema),
    ),
    'tool blocks need tools':
      (body?.tools ?? []).length > 0 ||
      contents.flat().every(({ type }) => type !== 'tool_use' && type !== 'tool_result'),
    'a budget of thinking is at least 1,024 and below max_tokens':
      body?.thinking?.type !== 'enabled' ||
      (body.thinking.budget_tokens >= 1_024 && body.thinking.budget_tokens < body.max_tokens),
    'no empty text': contents.flat().every((part) => part.type !== 'text' || part.text !== ''),
    'thinking excludes a forced tool':
      body?.thinking === undefined || !['tool', 'any'].includes(body.tool_choice?.type),
    'no key of another service':
      body?.response_format === undefined && body?.think === undefined && body?.num_ctx === undefined,
  });
}

const BLOCKS = ['text', 'image', 'document', 'tool_use', 'tool_result', 'thinking', 'redacted_thinking'];

const head = (answer: ScriptedAnswer, { body }: RecordedRequest) => ({
  id: 'msg_1',
  type: 'message',
  role: 'assistant',
  model: answer.model ?? body.model,
  stop_sequence: null,
});

type Block = Readonly<Record<string, unknown>> & { readonly type: string };

/** A model that has to call a tool gives its text as the input of that tool. */
function forcedTool({ body }: RecordedRequest): string | null {
  if (body.tool_choice?.type === 'tool') return String(body.tool_choice.name);
  return body.tool_choice?.type === 'any' && body.tools.length === 1 ? String(body.tools[0].name) : null;
}

/** Arguments as text come only in pieces. */
const isText = (call: ScriptedCall): boolean => typeof call.arguments === 'string';

function blocks(answer: ScriptedAnswer, request: RecordedRequest): readonly Block[] {
  const { reasoning, text, calls = [] } = answer;
  const forced = forcedTool(request);
  if (forced !== null) return [{ type: 'tool_use', id: 'toolu_0', name: forced, input: JSON.parse(text ?? '{}') }];
  return [
    ...(reasoning === undefined
      ? []
      : [{ type: 'thinking', thinking: reasoning.text, signature: reasoning.signature }]),
    ...(text === undefined ? [] : [{ type: 'text', text }]),
    ...calls.map((call, index) => ({
      type: 'tool_use',
      id: idOf(call, index),
      name: call.name,
      input: isText(call) ? {} : argumentsObject(call),
    })),
  ];
}

function stopOf(answer: ScriptedAnswer, request: RecordedRequest): string {
  return answer.finish ?? ((answer.calls ?? []).length > 0 || forcedTool(request) !== null ? 'tool_use' : 'end_turn');
}

/** Tokens from the cache are counted beside the input, not in it. */
function wireUsage(answer: ScriptedAnswer) {
  const usage = usageOf(answer) ?? { prompt: 0, completion: 0 };
  return {
    input_tokens: usage.prompt - (usage.cached ?? 0) - (usage.written ?? 0),
    cache_creation_input_tokens: usage.written ?? 0,
    cache_read_input_tokens: usage.cached ?? 0,
    output_tokens: usage.completion,
  };
}

function chunks(answer: ScriptedAnswer, request: RecordedRequest): readonly string[] {
  const wire = blocks(answer, request);
  const events = [
    {
      type: 'message_start',
      message: {
        ...head(answer, request),
        content: [],
        stop_reason: null,
        usage: { ...wireUsage(answer), output_tokens: 1 },
      },
    },
    ...wire.flatMap((block, index) => [
      { type: 'content_block_start', index, content_block: opened(block) },
      ...deltasOf(block, answer).map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason: stopOf(answer, request), stop_sequence: null },
      usage: wireUsage(answer),
    },
    { type: 'message_stop' },
  ];
  return events.map(eventSse);
}

function opened(block: Block): Block {
  if (block.type === 'text') return { ...block, text: '' };
  return block.type === 'thinking' ? { ...block, thinking: '', signature: '' } : { ...block, input: {} };
}

function deltasOf(block: Block, answer: ScriptedAnswer): readonly unknown[] {
  if (block.type === 'text') return piecesOf(String(block.text)).map((text) => ({ type: 'text_delta', text }));
  if (block.type === 'thinking')
    return [
      ...piecesOf(String(block.thinking)).map((thinking) => ({ type: 'thinking_delta', thinking })),
      { type: 'signature_delta', signature: block.signature },
    ];
  const call = answer.calls?.find((one, at) => idOf(one, at) === block.id);
  const text = call === undefined ? JSON.stringify(block.input) : argumentsText(call);
  return piecesOf(text).map((partial_json) => ({ type: 'input_json_delta', partial_json }));
}
