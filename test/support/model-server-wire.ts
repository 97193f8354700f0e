import type { ServerResponse } from 'node:http';

/** Arguments as an object, or as the text that goes over the wire whatever it holds. */
export interface ScriptedCall {
  readonly id?: string;
  readonly name: string;
  readonly arguments: string | Readonly<Record<string, unknown>>;
}

export interface ScriptedUsage {
  readonly prompt: number;
  readonly completion: number;
  readonly cached?: number;
  readonly reasoning?: number;
  /** In USD, as some routers report it. */
  readonly cost?: number;
}

export interface ScriptedAnswer {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  readonly finish?: string;
  /** null = the server reports none. Default 10 and 5 tokens. */
  readonly usage?: ScriptedUsage | null;
  /** Model id in the answer; default the one that was asked for. */
  readonly model?: string;
}

/** Bytes in one streamed text delta and in one piece of arguments: small, so that every answer comes in several pieces. */
const PIECE_CHARS = 7;

export function sendJson(response: ServerResponse, status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** One whole chat completion. */
export function completion(answer: ScriptedAnswer, requestedModel: string): unknown {
  return {
    id: 'chatcmpl-1',
    object: 'chat.completion',
    created: 1,
    model: answer.model ?? requestedModel,
    choices: [
      {
        index: 0,
        message: {
          role: 'assistant',
          content: answer.text ?? null,
          ...(answer.calls === undefined ? {} : { tool_calls: answer.calls.map(wireCall) }),
        },
        finish_reason: finishOf(answer),
      },
    ],
    ...(usageOf(answer) === null ? {} : { usage: usageOf(answer) }),
  };
}

/** The chunks of one streamed chat completion, the finish reason and the usage last. */
export function chunks(answer: ScriptedAnswer, requestedModel: string): readonly unknown[] {
  const chunk = (delta: unknown, finish: string | null = null): unknown => ({
    id: 'chatcmpl-1',
    object: 'chat.completion.chunk',
    created: 1,
    model: answer.model ?? requestedModel,
    choices: [{ index: 0, delta, finish_reason: finish }],
  });
  const usage = usageOf(answer);
  return [
    chunk({ role: 'assistant', content: '' }),
    ...pieces(answer.text ?? '').map((content) => chunk({ content })),
    ...(answer.calls ?? []).flatMap((call, index) => callDeltas(call, index).map((delta) => chunk({ tool_calls: [delta] }))),
    chunk({}, finishOf(answer)),
    ...(usage === null ? [] : [{ id: 'chatcmpl-1', object: 'chat.completion.chunk', created: 1, model: requestedModel, choices: [], usage }]),
  ];
}

export function sse(data: unknown): string {
  return `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;
}

function callDeltas(call: ScriptedCall, index: number): readonly unknown[] {
  const { id, type, function: fn } = wireCall(call, index);
  return [
    { index, id, type, function: { name: fn.name, arguments: '' } },
    ...pieces(fn.arguments).map((piece) => ({ index, function: { arguments: piece } })),
  ];
}

function wireCall(call: ScriptedCall, index: number) {
  const text = typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);
  return { id: call.id ?? `call_${index}`, type: 'function', function: { name: call.name, arguments: text } };
}

function finishOf(answer: ScriptedAnswer): string {
  return answer.finish ?? ((answer.calls ?? []).length > 0 ? 'tool_calls' : 'stop');
}

function usageOf({ usage = { prompt: 10, completion: 5 } }: ScriptedAnswer) {
  if (usage === null) return null;
  return {
    prompt_tokens: usage.prompt,
    completion_tokens: usage.completion,
    total_tokens: usage.prompt + usage.completion,
    prompt_tokens_details: { cached_tokens: usage.cached ?? 0 },
    completion_tokens_details: { reasoning_tokens: usage.reasoning ?? 0 },
    ...(usage.cost === undefined ? {} : { cost: usage.cost }),
  };
}

function pieces(text: string): readonly string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${PIECE_CHARS}}`, 'gu')) ?? [];
}
