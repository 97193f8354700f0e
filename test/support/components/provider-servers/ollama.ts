import {
  argumentsObject,
  idOf,
  type Protocol,
  piecesOf,
  problemsOf,
  type RecordedRequest,
  type ScriptedAnswer,
  usageOf,
} from './protocol.js';

const line = (value: unknown): string => `${JSON.stringify(value)}\n`;

/** Ollama's own protocol: lines of JSON. It reports no cached tokens. */
export const OLLAMA: Protocol = {
  name: 'ollama',
  basePath: '',
  streamType: 'application/x-ndjson',
  // the line that says `done`
  endings: 1,
  problems,
  // Streams unless it is told not to.
  isStream: ({ body }) => body.stream !== false,
  whole: (answer, request) => ({
    ...chunk(answer, request, { content: answer.text ?? '', ...calls(answer) }),
    ...end(answer),
  }),
  chunks,
  error: (message) => ({ error: message }),
  streamError: (message) => line({ error: message }),
  cutFinish: 'length',
  wholeCalls: true,
  tooLong: (asked, window) => ({
    message: `the request of ${asked} tokens exceeds the available context size (${window} tokens)`,
  }),
  malformed: '{"message": oops\n',
};

const ROOT = ['model', 'messages', 'tools', 'format', 'options', 'stream', 'think', 'keep_alive'];

function problems({ method, path, body }: RecordedRequest): readonly string[] {
  const messages: readonly Record<string, unknown>[] = Array.isArray(body?.messages) ? body.messages : [];
  return problemsOf({
    'POST /api/chat': method === 'POST' && path === '/api/chat',
    'a model': typeof body?.model === 'string',
    'messages with text': messages.length > 0 && messages.every(({ content }) => typeof content === 'string'),
    'images are plain base64': messages.every(
      ({ images = [] }) => Array.isArray(images) && images.every((image) => /^[A-Za-z0-9+/=]+$/.test(image)),
    ),
    'arguments are objects': messages.every(
      ({ tool_calls = [] }) =>
        Array.isArray(tool_calls) && tool_calls.every((call) => typeof call.function?.arguments === 'object'),
    ),
    'each tool message names its tool': messages.every(
      ({ role, tool_name }) => role !== 'tool' || typeof tool_name === 'string',
    ),
    'settings stand in options': Object.keys(body ?? {}).every((key) => ROOT.includes(key)),
  });
}

const chunk = (answer: ScriptedAnswer, { body }: RecordedRequest, message: Readonly<Record<string, unknown>>) => ({
  model: answer.model ?? body.model,
  created_at: '2025-01-01T00:00:00Z',
  message: { role: 'assistant', ...message },
  done: false,
});

const calls = ({ calls: scripted }: ScriptedAnswer) =>
  scripted === undefined
    ? {}
    : {
        tool_calls: scripted.map((call, index) => ({
          ...(call.id === undefined ? {} : { id: idOf(call, index) }),
          function: { name: call.name, arguments: argumentsObject(call) },
        })),
      };

function end(answer: ScriptedAnswer) {
  const usage = usageOf(answer);
  return {
    done: true,
    done_reason: answer.finish ?? 'stop',
    ...(usage === null ? {} : { prompt_eval_count: usage.prompt, eval_count: usage.completion }),
  };
}

function chunks(answer: ScriptedAnswer, request: RecordedRequest): readonly string[] {
  return [
    ...(answer.reasoning === undefined
      ? []
      : [chunk(answer, request, { content: '', thinking: answer.reasoning.text })]),
    ...piecesOf(answer.text ?? '').map((content) => chunk(answer, request, { content })),
    ...(answer.calls === undefined ? [] : [chunk(answer, request, { content: '', ...calls(answer) })]),
    { ...chunk(answer, request, { content: '' }), ...end(answer) },
  ].map(line);
}
