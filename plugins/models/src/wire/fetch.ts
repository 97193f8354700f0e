import { isObject } from '@kit-run/kit/plugin';
import { parseJson } from '../shared/json.js';
import { changesBody, finalBody } from './body.js';
import { boundedAnswer } from './bounded-answer.js';
import type { ServerConfig } from './config.js';
import type { Family } from './family.js';
import { assertSaid, hasToSay, type Settled } from './unsaid.js';

/** What one call sends beside what the wire library makes of it. */
export interface CallParts {
  readonly family: Family;
  readonly config: ServerConfig;
  readonly key: string | null;
  readonly stepId: string;
  /** W3C `traceparent` of the call; absent: none is sent. */
  readonly traceParent: string | undefined;
  readonly request: Settled;
  readonly fetch: typeof globalThis.fetch;
  /**
   * Called when the server answers with a good status: what goes wrong from then on is an answer
   * that broke off.
   */
  readonly onAnswer: () => void;
  /** As in ModelCallOptions, for a request whose answer is streamed; absent: it is not. */
  readonly onSign: ((sign: 'sent' | 'piece') => void) | undefined;
  /** The headers of any answer. */
  readonly onHeaders: (headers: Headers) => void;
}

/**
 * Headers in which wire libraries put a key of their own; what the configuration says goes there
 * instead.
 */
const KEY_HEADERS = ['authorization', 'x-api-key', 'x-goog-api-key'];

/**
 * The fetch of one call: the same key, headers, step id and options for every protocol, and no
 * redirect.
 */
export function callFetch(parts: CallParts): typeof globalThis.fetch {
  return async (input, init) => {
    // A redirect would carry a key in a header of its own to wherever the server points.
    const body = bodyOf(parts, init);
    parts.onSign?.('sent');
    const response = await parts.fetch(input, {
      ...init,
      headers: headersOf(parts, init),
      ...(body == null ? {} : { body }),
      redirect: 'manual',
    });
    parts.onHeaders(response.headers);
    if (!response.ok) return boundedAnswer(response);
    parts.onAnswer();
    return boundedAnswer(response, () => parts.onSign?.('piece'));
  };
}

function headersOf({ config, key, stepId, traceParent }: CallParts, init: RequestInit | undefined): Headers {
  const headers = new Headers(init?.headers);
  for (const name of KEY_HEADERS) headers.delete(name);
  if (key !== null) headers.set(config.header, config.scheme === '' ? key : `${config.scheme} ${key}`);
  for (const [name, value] of Object.entries(config.headers)) headers.set(name, value);
  headers.set('Idempotency-Key', stepId);
  if (traceParent !== undefined) headers.set('traceparent', traceParent);
  return headers;
}

function bodyOf({ family, config, request }: CallParts, init: RequestInit | undefined): RequestInit['body'] {
  const text = init?.body;
  const { options } = request;
  const isAsked = hasToSay(request);
  if (typeof text !== 'string' || !(isAsked || changesBody(config, options))) return text;
  const body = parseJson(text);
  if (!isObject(body)) return text;
  const final = finalBody(family, body, config, options);
  if (isAsked) assertSaid(request, final);
  return JSON.stringify(final);
}
