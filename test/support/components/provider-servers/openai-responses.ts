import {
  argumentsText,
  eventSse,
  idOf,
  isOneObject,
  type Protocol,
  piecesOf,
  problemsOf,
  type RecordedRequest,
  type ScriptedAnswer,
  usageOf,
} from './protocol.js';

/** OpenAI Responses, with the events of a stream as its service names them. */
export const OPENAI_RESPONSES: Protocol = {
  name: 'openai',
  basePath: '/v1',
  streamType: 'text/event-stream',
  // the last item, and the whole response
  endings: 2,
  problems,
  isStream: ({ body }) => body.stream === true,
  whole: (answer, request) => ({ ...response(answer, request), output: items(answer), status: statusOf(answer) }),
  chunks,
  error: (message, code) => ({ error: { message, type: 'test_error', param: null, code: String(code) } }),
  streamError: (message, code) =>
    eventSse(numbered({ type: 'error', code: ERROR_CODES[String(code)] ?? String(code), message, param: null })),
  cutFinish: 'max_output_tokens',
  tooLong: (asked, window) => ({
    message: `This model's maximum context length is ${window} tokens. However, your messages resulted in ${asked} tokens.`,
    code: 'context_length_exceeded',
  }),
  malformed: 'event: response.output_text.delta\ndata: {"type": oops\n\n',
};

const ERROR_CODES: Readonly<Record<string, string>> = { '429': 'rate_limit_exceeded', '503': 'server_overloaded' };

const USER_CONTENT = ['input_text', 'input_image', 'input_file'];

function problems({ method, path, headers, body }: RecordedRequest): readonly string[] {
  const input: readonly Record<string, unknown>[] = Array.isArray(body?.input) ? body.input : [];
  const called = input.filter(({ type }) => type === 'function_call').map(({ call_id }) => call_id);
  const format = body?.text?.format;
  return problemsOf({
    'POST /v1/responses': method === 'POST' && path === '/v1/responses',
    'a key in Authorization': headers.authorization?.startsWith('Bearer ') === true,
    'a model': typeof body?.model === 'string',
    'input items':
      input.length > 0 &&
      input.every(
        (item) => ['system', 'developer', 'user', 'assistant'].includes(String(item.role)) || item.type !== undefined,
      ),
    'text of a user is input_text': input.every(
      ({ role, content }) =>
        role !== 'user' || (Array.isArray(content) && content.every(({ type }) => USER_CONTENT.includes(type))),
    ),
    'each output answers a call': input.every(
      ({ type, call_id }) => type !== 'function_call_output' || called.includes(call_id),
    ),
    'tools are flat functions': (body?.tools ?? []).every(
      (tool: { type?: unknown; name?: unknown }) => tool.type === 'function' && tool.name,
    ),
    'arguments of tools are one object, without alternatives at the top': (body?.tools ?? []).every(
      (tool: { parameters?: object }) => isOneObject(tool.parameters),
    ),
    'a schema has a name': format?.type !== 'json_schema' || typeof format.name === 'string',
    'nothing is stored at the service': body?.store === false,
    'at least 16 tokens, when limited': body?.max_output_tokens === undefined || body.max_output_tokens >= 16,
  });
}

const numbered = <T extends object>(event: T): T & { readonly sequence_number: number } => ({
  ...event,
  sequence_number: 1,
});

const statusOf = ({ finish }: ScriptedAnswer): string => (finish === undefined ? 'completed' : 'incomplete');

function response(answer: ScriptedAnswer, { body }: RecordedRequest) {
  const usage = usageOf(answer);
  return {
    id: 'resp_1',
    object: 'response',
    created_at: 1,
    model: answer.model ?? body.model,
    error: null,
    incomplete_details: answer.finish === undefined ? null : { reason: answer.finish },
    ...(usage === null
      ? {}
      : {
          usage: {
            input_tokens: usage.prompt,
            input_tokens_details: { cached_tokens: usage.cached ?? 0 },
            output_tokens: usage.completion,
            output_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
            total_tokens: usage.prompt + usage.completion,
          },
        }),
  };
}

interface Item {
  readonly type: string;
  readonly id: string;
  readonly [key: string]: unknown;
}

function items(answer: ScriptedAnswer): readonly Item[] {
  const { reasoning, text, calls = [] } = answer;
  return [
    ...(reasoning === undefined
      ? []
      : [
          {
            type: 'reasoning',
            id: 'rs_1',
            summary: [{ type: 'summary_text', text: reasoning.text }],
            encrypted_content: reasoning.signature,
          },
        ]),
    ...(text === undefined
      ? []
      : [
          {
            type: 'message',
            id: 'msg_1',
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
          },
        ]),
    ...calls.map((call, index) => ({
      type: 'function_call',
      id: `fc_${index}`,
      call_id: idOf(call, index),
      name: call.name,
      arguments: argumentsText(call),
      status: 'completed',
    })),
  ];
}

function chunks(answer: ScriptedAnswer, request: RecordedRequest): readonly string[] {
  const events = [
    {
      type: 'response.created',
      response: { ...response(answer, request), usage: null, output: [], status: 'in_progress' },
    },
    ...items(answer).flatMap((item, index) => itemEvents(item, index)),
    {
      type: answer.finish === undefined ? 'response.completed' : 'response.incomplete',
      response: { ...response(answer, request), output: items(answer), status: statusOf(answer) },
    },
  ];
  return events.map((event) => eventSse(numbered(event)));
}

function itemEvents(item: Item, index: number): readonly { readonly type: string }[] {
  const at = { item_id: item.id, output_index: index };
  const open = {
    ...item,
    status: 'in_progress',
    ...(item.type === 'message' ? { content: [] } : {}),
    ...(item.type === 'function_call' ? { arguments: '' } : {}),
  };
  return [
    { type: 'response.output_item.added', output_index: index, item: open } as { readonly type: string },
    ...deltas(item).map((delta) => ({ ...at, ...delta })),
    { type: 'response.output_item.done', output_index: index, item } as { readonly type: string },
  ];
}

function deltas(item: Item): readonly { readonly type: string }[] {
  if (item.type === 'function_call')
    return piecesOf(String(item.arguments)).map((delta) => ({ type: 'response.function_call_arguments.delta', delta }));
  if (item.type === 'reasoning') {
    const [summary] = item.summary as readonly { readonly text: string }[];
    return [
      { type: 'response.reasoning_summary_part.added', summary_index: 0 } as { readonly type: string },
      ...piecesOf(summary?.text ?? '').map((delta) => ({
        type: 'response.reasoning_summary_text.delta',
        summary_index: 0,
        delta,
      })),
    ];
  }
  const [part] = item.content as readonly { readonly text: string }[];
  return piecesOf(part?.text ?? '').map((delta) => ({
    type: 'response.output_text.delta',
    content_index: 0,
    delta,
    logprobs: [],
  }));
}
