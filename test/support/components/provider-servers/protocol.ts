import type { IncomingHttpHeaders } from 'node:http';

/**
 * Arguments as an object, or as the text that goes over the wire whatever it holds (where the wire
 * carries text).
 */
export interface ScriptedCall {
  readonly id?: string;
  readonly name: string;
  readonly arguments: string | Readonly<Record<string, unknown>>;
}

export interface ScriptedUsage {
  readonly prompt: number;
  readonly completion: number;
  readonly cached?: number;
  /** Written to a cache. */
  readonly written?: number;
  readonly reasoning?: number;
  /** In USD, as some routers report it. */
  readonly cost?: number;
}

export interface ScriptedAnswer {
  readonly text?: string;
  readonly calls?: readonly ScriptedCall[];
  /** What the model thought, with the mark by which the service knows it again. */
  readonly reasoning?: {
    readonly text: string;
    readonly signature: string;
    /** The field of a chat server that says it; absent: it says nothing of its thoughts. */
    readonly says?: 'reasoning' | 'reasoning_content' | 'reasoning_details';
  };
  readonly finish?: string;
  /** null = the server reports none. Default 10 and 5 tokens. */
  readonly usage?: ScriptedUsage | null;
  /** Model id in the answer; default the one that was asked for. */
  readonly model?: string;
}

export interface RecordedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** The parsed body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever they expect the request to hold.
  readonly body: any;
}

/**
 * One wire format of model servers. Streams are texts, one a chunk; what ends the answer stands in
 * the last `endings` of them.
 */
export interface Protocol {
  readonly name: string;
  /** What follows the address in `base_url`. */
  readonly basePath: string;
  readonly streamType: string;
  readonly endings: number;
  /** Everything in which a request breaks the format; [] = the server would take it. */
  readonly problems: (request: RecordedRequest) => readonly string[];
  readonly isStream: (request: RecordedRequest) => boolean;
  readonly whole: (answer: ScriptedAnswer, request: RecordedRequest) => unknown;
  readonly chunks: (answer: ScriptedAnswer, request: RecordedRequest) => readonly string[];
  /** Body of an answer with an HTTP status. */
  readonly error: (message: string, status: number | string) => unknown;
  /** The error as a chunk of a stream that began well. */
  readonly streamError: (message: string, status: number | string) => string;
  /** Why an answer ended that the output limit cut off, in the word of the service. */
  readonly cutFinish: string;
  /** Arguments are objects on the wire, so a cut call is not given at all. */
  readonly wholeCalls?: true;
  /** What it says of a request that is longer than its window; status 400. */
  readonly tooLong: (asked: number, window: number) => { readonly message: string; readonly code?: string };
  /** A chunk that is not JSON. */
  readonly malformed: string;
}

/** Characters in one streamed piece: small, so that every answer comes in several. */
const PIECE_CHARS = 7;

export const piecesOf = (text: string): readonly string[] =>
  text.match(new RegExp(`[\\s\\S]{1,${PIECE_CHARS}}`, 'gu')) ?? [];

export const sse = (data: unknown): string => `data: ${typeof data === 'string' ? data : JSON.stringify(data)}\n\n`;

export const eventSse = (data: { readonly type: string }): string => `event: ${data.type}\n${sse(data)}`;

export const idOf = (call: ScriptedCall, index: number): string => call.id ?? `call_${index}`;

export const argumentsText = (call: ScriptedCall): string =>
  typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments);

/** For wires that carry arguments as an object. */
export const argumentsObject = (call: ScriptedCall): unknown =>
  typeof call.arguments === 'string' ? JSON.parse(call.arguments || '{}') : call.arguments;

export const usageOf = ({ usage = { prompt: 10, completion: 5 } }: ScriptedAnswer): ScriptedUsage | null => usage;

/** Collects what is wrong, one sentence each. */
export function problemsOf(checks: Readonly<Record<string, boolean>>): readonly string[] {
  return Object.entries(checks).flatMap(([words, isRight]) => (isRight ? [] : [words]));
}

/** What Anthropic and OpenAI demand of the arguments of a tool. */
export const isOneObject = (schema: object | undefined): boolean =>
  schema === undefined ||
  ('type' in schema && schema.type === 'object' && !('anyOf' in schema || 'oneOf' in schema || 'allOf' in schema));
