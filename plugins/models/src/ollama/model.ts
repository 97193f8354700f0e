import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider';
import { isObject } from '@kit-run/kit/plugin';
import { own, parseJson } from '../shared/json.js';
import { OllamaError, partsOf, textIn } from './answer.js';

import { chatBody, countCalls } from './request.js';

/**
 * The lines of a response body, without empty ones, as they arrive. Leaving early closes the
 * connection.
 */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let rest = '';
  for await (const bytes of body) {
    const pieces = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = pieces.pop() ?? '';
    yield* pieces.filter(isFilled);
  }
  rest += decoder.decode();
  if (isFilled(rest)) yield rest;
}

const isFilled = (line: string): boolean => line.trim() !== '';

/** Where an Ollama server is and how it is reached. */
export interface OllamaParts {
  /** With or without `/api`, or with the `/v1` of its other API. */
  readonly baseUrl: string;
  readonly model: string;
  readonly fetch: typeof globalThis.fetch;
}

/**
 * Ollama's own protocol as a language model. Written here because the library for it
 * (ollama-ai-provider-v2 4.0.1) sends temperature and output limit where the server does not look,
 * tool results without the tool's name, and drops chunks it cannot read and errors inside a stream,
 * so that a failed answer looks like a short one.
 */
export function ollamaModel(parts: OllamaParts): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'ollama',
    modelId: parts.model,
    supportedUrls: {},
    doStream: async (call) => ({ stream: ReadableStream.from(chunksOf(await post(parts, call, true), call)) }),
    doGenerate: async (call) => {
      const response = await post(parts, call, false);
      // The whole body is one chunk; it may be printed over several lines.
      const chunks = partsOf(await response.text(), callIds(call));
      const text = chunks.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : [])).join('');
      const finish = chunks.find((part) => part.type === 'finish');
      const model = chunks.find((part) => part.type === 'response-metadata')?.modelId;
      if (finish === undefined) throw new SyntaxError('an answer that is not done');
      const calls = chunks.filter((part) => part.type === 'tool-call');
      return {
        content: [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...calls],
        finishReason: finishOf(finish.finishReason, calls.length > 0),
        usage: finish.usage,
        warnings: [],
        ...(model === undefined ? {} : { response: { modelId: model } }),
      };
    },
  };
}

async function* chunksOf(
  response: Response,
  call: LanguageModelV4CallOptions,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const nextId = callIds(call);
  let hasCalls = false;
  if (response.body === null) return;
  for await (const line of linesOf(response.body)) {
    for (const part of partsOf(line, nextId)) {
      hasCalls ||= part.type === 'tool-call';
      yield part.type === 'finish' ? { ...part, finishReason: finishOf(part.finishReason, hasCalls) } : part;
    }
  }
}

/** The server says `stop` also when it calls tools. */
function finishOf(finish: LanguageModelV4FinishReason, hasCalls: boolean): LanguageModelV4FinishReason {
  return hasCalls && finish.unified === 'stop' ? { unified: 'tool-calls', raw: finish.raw } : finish;
}

/** Ids that follow from the conversation, so that the same answer gets the same ones again. */
function callIds(call: LanguageModelV4CallOptions): () => string {
  let next = countCalls(call.prompt);
  return () => `call_${next++}`;
}

async function post(parts: OllamaParts, call: LanguageModelV4CallOptions, isStream: boolean): Promise<Response> {
  const response = await parts.fetch(`${parts.baseUrl.replace(/\/+$/, '').replace(/\/(api|v1)$/, '')}/api/chat`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(chatBody(parts.model, call, isStream)),
    ...(call.abortSignal === undefined ? {} : { signal: call.abortSignal }),
  });
  if (response.ok) return response;
  const body = parseJson(await response.text());
  const error = isObject(body) ? own(body, 'error') : undefined;
  throw new OllamaError(
    error === undefined ? '' : textIn(error),
    response.status,
    Object.fromEntries(response.headers),
  );
}
