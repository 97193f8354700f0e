import type { LanguageModelV4FinishReason, LanguageModelV4StreamPart, LanguageModelV4Usage } from '@ai-sdk/provider';
import type { MessagePart, ModelResponse } from '@kit-run/kit/plugin';
import { toFinish, toolCallPart, toUsage } from './response.js';

/** An error that the server reported inside a stream which began well, as an HTTP status where it names one. */
export class StreamedError extends Error {
  override readonly name = 'StreamedError';
  constructor(
    message: string,
    readonly statusCode: number | null,
  ) {
    super(message);
  }
}

interface Collected {
  text: string;
  readonly calls: MessagePart[];
  model: string | null;
  finish: LanguageModelV4FinishReason | null;
  usage: LanguageModelV4Usage | null;
}

/**
 * Reads a stream to its end. Throws what went wrong inside it: the broken connection, the chunk that is no JSON, the error
 * that the server sent. A stream without a finish reason was cut, however politely the connection was closed.
 */
export async function readStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  requestedModel: string,
  onText: (text: string) => void,
): Promise<ModelResponse> {
  const collected: Collected = { text: '', calls: [], model: null, finish: null, usage: null };
  // Leaving the loop by a throw cancels the stream, which closes the connection.
  for await (const part of stream) take(part, collected, onText);
  if (collected.finish === null || collected.usage === null) throw new CutStream();
  return {
    parts: [...(collected.text === '' ? [] : [{ type: 'text' as const, text: collected.text }]), ...collected.calls],
    finish: toFinish(collected.finish),
    usage: toUsage(collected.usage),
    model: collected.model ?? requestedModel,
  };
}

/** The connection ended before the answer did. */
class CutStream extends Error {
  override readonly name = 'CutStream';
  constructor() {
    super('the stream ended without a finish reason');
  }
}

function take(part: LanguageModelV4StreamPart, collected: Collected, onText: (text: string) => void): void {
  switch (part.type) {
    case 'text-delta':
      collected.text += part.delta;
      onText(part.delta);
      return;
    case 'tool-call':
      collected.calls.push(toolCallPart(part));
      return;
    case 'response-metadata':
      collected.model = part.modelId ?? collected.model;
      return;
    case 'finish':
      collected.finish = part.finishReason;
      collected.usage = part.usage;
      return;
    case 'error':
      throw streamError(part.error);
    default:
      return;
  }
}

function streamError(error: unknown): unknown {
  if (error instanceof Error) return isMissingFinish(error) ? new CutStream() : error;
  const fields = typeof error === 'object' && error !== null ? (error as Readonly<Record<string, unknown>>) : {};
  const code = Number(fields.code);
  const status = Number.isInteger(code) && code >= 400 && code <= 599 ? code : null;
  // Without a status the server blames itself: that is what an error after a good start means.
  return new StreamedError(typeof fields.message === 'string' ? fields.message : 'error inside the stream', status ?? 500);
}

/** The wire library reports a missing finish reason as invalid data, of which there is none to show. */
function isMissingFinish(error: Error): boolean {
  return error.name === 'AI_InvalidResponseDataError' && 'data' in error && error.data === undefined;
}
