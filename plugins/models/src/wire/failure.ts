import { isObject, type ModelFailure } from '@kit-run/kit/plugin';
import { maskText } from '../shared/mask.js';
import { AnswerTooLarge } from './bounded-answer.js';

import { UnsaidSetting } from './unsaid.js';

/**
 * Where an error came up: it tells an answer that broke off from a server that cannot be reached.
 */
export type Phase = 'request' | 'answer';

interface FailureContext {
  readonly phase: Phase;
  readonly signal: AbortSignal;
  readonly nowMs: number;
  readonly secrets: readonly string[];
}

type Kind = ModelFailure['kind'];

/** Codes of the HTTP client for a wait that was too long, whoever limited it. */
const TIMEOUT_CODES = new Set([
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'ETIMEDOUT',
]);

/** Any error of a call as a value of the port. Nothing is recognised by its wording. */
export function toFailure(error: unknown, context: FailureContext): ModelFailure {
  const own = causes(error).find((cause) => cause instanceof AnswerTooLarge || cause instanceof UnsaidSetting);
  // Of the kinds the one that is not asked again: each try would come to the same.
  if (own !== undefined) return { kind: 'bad_request', message: own.message, status: null, retryAfterMs: null };
  const status = numberField(error, 'statusCode');
  const kind = kindOf(error, status, context);
  return {
    kind,
    message: maskText(messageOf(error, kind, status), context.secrets),
    status,
    retryAfterMs: retryAfterMs(headersOf(error), context.nowMs),
  };
}

/**
 * What an HTTP status says; 408 is the server's own timeout, 529 the overload status of several
 * providers.
 */
function kindOfStatus(status: number, error: unknown): Kind {
  if (status === 402 || (status === 429 && isSpent(error))) return 'quota';
  if (status === 429) return 'rate_limited';
  if (status === 503 || status === 529) return 'overloaded';
  if (status === 408 || status === 504) return 'timeout';
  if (status === 401 || status === 403) return 'auth';
  if ((status === 400 || status === 413 || status === 422) && isTooLong(error)) return 'context_overflow';
  return status >= 500 ? 'server' : 'bad_request';
}

function kindOf(error: unknown, status: number | null, context: FailureContext): Kind {
  if (context.signal.aborted) return 'timeout';
  if (status !== null && (status < 200 || status > 299)) return kindOfStatus(status, error);
  const chain = causes(error);
  if (chain.some((cause) => TIMEOUT_CODES.has(codeOf(cause)))) return 'timeout';
  if (chain.some((cause) => MALFORMED_NAMES.has(nameOf(cause)))) return 'malformed';
  if (context.phase === 'answer' || status !== null) return 'cut_stream';
  return 'network';
}

/**
 * Codes by which providers tell an account without credit, or at the limit of its month, from one
 * that asks too often: both are 429 with some of them (OpenAI and servers of its protocol).
 */
const SPENT = new Set(['insufficient_quota', 'billing_hard_limit_reached', 'billing_not_active', 'billing_error']);

/** The body as the wire library has read it: `{ error: { type, code } }`. */
function isSpent(error: unknown): boolean {
  return causes(error).some((cause) => {
    const data = isRecord(cause) ? cause.data : undefined;
    const reported = isRecord(data) ? data.error : undefined;
    return (
      isRecord(reported) && [reported.code, reported.type].some((code) => typeof code === 'string' && SPENT.has(code))
    );
  });
}

/**
 * Words by which servers say that a request is longer than the window of the model. OpenAI and some
 * servers of its protocol have a code for it; Anthropic, Google and the others have words alone.
 */
const TOO_LONG = [
  'context_length_exceeded',
  'prompt is too long',
  'exceed context limit',
  'exceeds the maximum number of tokens',
  'maximum context length',
  'context window',
  'exceeds the available context size',
];

function isTooLong(error: unknown): boolean {
  return causes(error).some((cause) => {
    const reported = isRecord(cause) && isRecord(cause.data) && isRecord(cause.data.error) ? cause.data.error : {};
    const message = isRecord(cause) ? cause.message : undefined;
    const words = [reported.code, reported.type, reported.message, message].filter((text) => typeof text === 'string');
    return words.some((text) => TOO_LONG.some((known) => text.slice(0, MAX_READ_CHARS).toLowerCase().includes(known)));
  });
}

/** A server says what is wrong at the beginning. */
const MAX_READ_CHARS = 2_000;

/** Errors of the wire library and of the engine for bytes that came whole and make no sense. */
const MALFORMED_NAMES = new Set([
  'AI_JSONParseError',
  'AI_TypeValidationError',
  'AI_InvalidResponseDataError',
  'AI_NoContentGeneratedError',
  'AI_EmptyResponseBodyError',
  'SyntaxError',
]);

function messageOf(error: unknown, kind: Kind, status: number | null): string {
  const reported = causes(error)
    .map(describe)
    // A library repeats the cause in its own sentence.
    .filter((text, index, all) => text !== '' && !all.slice(0, index).some((earlier) => earlier.includes(text)));
  const detail = reported.slice(0, 3).join(': ');
  const lead = LEADS[kind];
  const place = status === null || kind === 'malformed' || kind === 'cut_stream' ? '' : ` (HTTP ${status})`;
  return detail === '' ? `${lead}${place}` : `${lead}${place}: ${detail}`;
}

const LEADS: Readonly<Record<Kind, string>> = {
  timeout: 'the model did not answer in time',
  rate_limited: 'the model server limits the rate',
  overloaded: 'the model server is overloaded',
  server: 'the model server failed',
  network: 'the model server cannot be reached',
  cut_stream: 'the answer of the model broke off',
  malformed: 'the answer of the model server cannot be read',
  auth: 'the model server refused the key',
  quota: 'the account at the model server has nothing left to spend',
  context_overflow: 'the request is longer than the window of the model',
  bad_request: 'the model server refused the request',
  unfilled: 'a required field has no value',
};

function causes(error: unknown): readonly unknown[] {
  const chain: unknown[] = [];
  for (
    let current = error;
    current !== undefined && current !== null && !chain.includes(current) && chain.length < 8;
  ) {
    chain.push(current);
    current = isRecord(current) ? current.cause : undefined;
  }
  return chain;
}

/**
 * JSON errors quote the whole text they could not read: the code names them, and the text of a
 * model is not for messages.
 */
function describe(error: unknown): string {
  if (MALFORMED_NAMES.has(nameOf(error)) && nameOf(error) !== 'AI_InvalidResponseDataError') return '';
  if (!isRecord(error)) return typeof error === 'string' ? error : '';
  const message = typeof error.message === 'string' ? error.message : '';
  const code = codeOf(error);
  if (message === '') return code;
  return code === '' || message.includes(code) ? message : `${message} (${code})`;
}

function headersOf(error: unknown): Readonly<Record<string, string>> {
  const headers = isRecord(error) ? error.responseHeaders : undefined;
  if (!isRecord(headers)) return {};
  return Object.fromEntries(
    Object.entries(headers).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  );
}

function nameOf(error: unknown): string {
  return isRecord(error) && typeof error.name === 'string' ? error.name : '';
}

function codeOf(error: unknown): string {
  return isRecord(error) && typeof error.code === 'string' ? error.code : '';
}

function numberField(error: unknown, key: string): number | null {
  const value = isRecord(error) ? error[key] : undefined;
  return typeof value === 'number' ? value : null;
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return isObject(value);
}

/**
 * Milliseconds that a server asks to wait: `retry-after-ms`, or `Retry-After` as seconds or as an
 * HTTP date (RFC 9110 10.2.3). A date in the past is 0; anything unreadable is null.
 */
function retryAfterMs(headers: Readonly<Record<string, string>>, nowMs: number): number | null {
  const exact = secondsIn(headers['retry-after-ms']);
  if (exact !== null) return exact;
  const text = headers['retry-after']?.trim();
  if (text === undefined || text === '') return null;
  const seconds = secondsIn(text);
  if (seconds !== null) return Math.round(seconds * 1000);
  // Only the date form is left; Date.parse alone would also take '-5' for a year.
  if (!/^[A-Za-z]{3,9},? /.test(text)) return null;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}

function secondsIn(text: string | undefined): number | null {
  return text !== undefined && /^\d+(\.\d+)?$/.test(text.trim()) ? Number(text) : null;
}
