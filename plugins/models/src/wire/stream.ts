import type {
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
  SharedV4ProviderMetadata,
  SharedV4Warning,
} from '@ai-sdk/provider';
import { isObject, type JsonObject, type ModelResponse } from '@kit-run/kit/plugin';
import type { Collector } from './collect.js';
import type { Family } from './family.js';

/**
 * An error that the server reported inside a stream which began well, as an HTTP status where it
 * names one.
 */
class StreamedError extends Error {
  override readonly name = 'StreamedError';
  constructor(
    message: string,
    readonly statusCode: number,
  ) {
    super(message);
  }
}

/** The connection ended before the answer did. */
class CutStream extends Error {
  override readonly name = 'CutStream';
  constructor() {
    super('the stream ended without a finish reason');
  }
}

/** Told what the wire library changed of a request: a setting that the model does not take. */
type OnWarnings = (warnings: readonly SharedV4Warning[]) => void;

interface Reading {
  readonly collector: Collector;
  readonly onText: (text: string) => void;
  readonly onWarnings: OnWarnings;
  /** Blocks of reasoning that are not over yet, by id. */
  readonly open: Map<string, OpenBlock>;
  model: string | null;
  finish: LanguageModelV4FinishReason | null;
  usage: LanguageModelV4Usage | null;
  metadata: SharedV4ProviderMetadata | undefined;
}

interface OpenBlock {
  readonly text: string;
  readonly metadata: SharedV4ProviderMetadata | undefined;
}

/**
 * Reads a stream to its end. Throws what went wrong inside it: the broken connection, the chunk
 * that is not JSON, the error that the server sent. A stream without a finish reason was cut,
 * however politely the connection was closed.
 */
export async function readStream(
  stream: ReadableStream<LanguageModelV4StreamPart>,
  of: {
    readonly collector: Collector;
    readonly requestedModel: string;
    readonly onText: (text: string) => void;
    readonly onWarnings: OnWarnings;
    readonly returned: Family['returned'];
  },
): Promise<ModelResponse> {
  const reading: Reading = { ...of, open: new Map(), model: null, finish: null, usage: null, metadata: undefined };
  // Leaving the loop by a throw cancels the stream, which closes the connection.
  for await (const part of stream) take(part, reading);
  const { finish, usage } = reading;
  if (finish === null || usage === null || finish.unified === 'interrupted') throw new CutStream();
  if (finish.unified === 'error') throw new StreamedError('the server ended its answer with an error', 500);
  const message = of.returned?.(reading.metadata) ?? null;
  return of.collector.response({ finish, usage, model: reading.model ?? of.requestedModel, message });
}

function take(part: LanguageModelV4StreamPart, reading: Reading): void {
  switch (part.type) {
    case 'text-delta':
      reading.collector.text(part.delta);
      if (part.delta !== '') reading.onText(part.delta);
      return;
    case 'stream-start':
      reading.onWarnings(part.warnings);
      return;
    case 'reasoning-start':
      reading.open.set(part.id, { text: '', metadata: part.providerMetadata });
      return;
    case 'reasoning-delta':
      extend(reading, part.id, part.delta, part.providerMetadata);
      return;
    case 'reasoning-end':
      extend(reading, part.id, '', part.providerMetadata);
      close(reading, part.id);
      return;
    case 'tool-call':
      reading.collector.call(part);
      return;
    case 'response-metadata':
      reading.model = part.modelId ?? reading.model;
      return;
    case 'finish':
      reading.finish = part.finishReason;
      reading.usage = part.usage;
      reading.metadata = part.providerMetadata;
      return;
    case 'error':
      throw streamError(part.error);
    default:
      return;
  }
}

/** Later metadata wins: the signature of a block comes with its last piece. */
function extend({ open }: Reading, id: string, delta: string, metadata: SharedV4ProviderMetadata | undefined): void {
  const block = open.get(id);
  if (block !== undefined) open.set(id, { text: block.text + delta, metadata: metadata ?? block.metadata });
}

function close({ open, collector }: Reading, id: string): void {
  const block = open.get(id);
  if (block === undefined) return;
  open.delete(id);
  collector.reasoning(block.text, block.metadata);
}

function streamError(error: unknown): unknown {
  if (error instanceof Error) return isMissingFinish(error) ? new CutStream() : error;
  const fields: JsonObject = isObject(error) ? error : {};
  const status = [fields.statusCode, fields.code]
    .map(Number)
    .find((code) => Number.isInteger(code) && code >= 400 && code <= 599);
  // Without a status the server blames itself: that is what an error after a good start means.
  return new StreamedError(
    typeof fields.message === 'string' ? fields.message : 'error inside the stream',
    status ?? 500,
  );
}

/**
 * The wire library reports a missing finish reason as invalid data, of which there is none to show.
 */
function isMissingFinish(error: Error): boolean {
  return error.name === 'AI_InvalidResponseDataError' && 'data' in error && error.data === undefined;
}
