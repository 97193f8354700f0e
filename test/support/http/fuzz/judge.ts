import type { OpenAPIV3_1 } from 'openapi-types';
import { createResponseCheck } from '../checked-inject.js';
import type { FuzzRequest } from './requests.js';
import type { FuzzAnswer } from './send.js';
import { PLANTED } from './workspace.js';

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');

/**
 * Base64 of a text wherever it stands in a longer one: the middle of each of the three ways that
 * its bytes can fall.
 */
const inBase64 = (text: string): readonly string[] =>
  [0, 1, 2].map((shift) => {
    const whole = Buffer.concat([Buffer.alloc(shift), Buffer.from(text)]).toString('base64');
    return whole.slice(shift === 0 ? 0 : 4, Math.floor(((shift + text.length) * 8) / 24) * 4);
  });

/** Ways in which a secret may stand somewhere. */
const formsOf = (secret: string): readonly string[] => [
  ...new Set([
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    encodeURI(secret),
    Buffer.from(secret).toString('hex'),
    ...inBase64(secret).flatMap((form) => [form, form.replaceAll('+', '-').replaceAll('/', '_')]),
  ]),
];

const FORMS = new Map(
  Object.entries(PLANTED).flatMap(([name, secret]) => formsOf(secret).map((form) => [form, name] as const)),
);
const ANY = new RegExp([...FORMS.keys()].map(escaped).join('|'));

/** Name of the secret that a text holds in one of its forms; null = none. */
export function leakIn(text: string): string | null {
  const [found] = ANY.exec(text) ?? [];
  return found === undefined ? null : (FORMS.get(found) ?? found);
}

/** Node's own bound of what stands before a body. */
const MAX_HEAD_BYTES = 16 * 1024;
/** Whether Node refuses what stands before the body, without reading on. */
export const isEndless = ({ target, headers }: FuzzRequest): boolean =>
  target.length + JSON.stringify(headers).length > MAX_HEAD_BYTES - 1024;

const isCall = ({ method, target }: FuzzRequest): boolean => method === 'POST' && /^\/a2a(\/|\?|$)/.test(target);

/** An answer of JSON-RPC has its version, and either a result or an error with a code. */
function callMisfit(type: unknown, body: string): string | null {
  const frames = String(type).startsWith('text/event-stream')
    ? body.split('\n').flatMap((line) => (line.startsWith('data: ') ? [line.slice(6)] : []))
    : [body];
  for (const frame of frames) {
    const { jsonrpc, id, result, error } = JSON.parse(frame);
    if (jsonrpc !== '2.0' || id === undefined) return 'an answer that is none of JSON-RPC 2.0';
    if ((result === undefined) === (error === undefined))
      return 'an answer with both a result and an error, or neither';
    if (error !== undefined && !Number.isInteger(error.code)) return 'an error of JSON-RPC without a code';
    if (error?.code === -32603 && error.data?.status === undefined && error.data?.[0]?.metadata?.status === undefined)
      return `a call failed inside: ${error.message}`;
  }
  return null;
}

/** Says what is wrong with an answer; null = nothing. */
export type Judge = (asked: FuzzRequest, answer: FuzzAnswer) => string | null;

/** MCP refuses a message of its own in the words of JSON-RPC. */
function isRpcError(target: string, body: string): boolean {
  if (!/^\/mcp\/?(?:\?|$)/.test(target)) return false;
  const { jsonrpc, error } = JSON.parse(body) as {
    readonly jsonrpc?: unknown;
    readonly error?: { code?: unknown; message?: unknown };
  };
  return jsonrpc === '2.0' && Number.isInteger(error?.code) && typeof error?.message === 'string';
}

/** The end of a login is told to a person: a page that loads nothing and runs its one script. */
const isPageOfLogin = (target: string, headers: FuzzAnswer['headers']): boolean =>
  /^\/auth\/mcp\/callback(?:\?|$)/.test(target) &&
  String(headers['content-type']).startsWith('text/html') &&
  /^default-src 'none'; script-src 'sha256-/.test(String(headers['content-security-policy']));

export function createJudge(document: OpenAPIV3_1.Document): Judge {
  const misfit = createResponseCheck(document, { isReady: true });
  return (asked, answer) => {
    const { method, target } = asked;
    const { statusCode, headers, body } = answer;
    if (statusCode === 500) return 'status 500';
    // Headers without end: nobody read the request, and the answer is the socket's.
    if (statusCode === 431 && isEndless(asked)) return null;
    const leak = leakIn(body) ?? leakIn(JSON.stringify(headers));
    if (leak !== null) return `the answer holds the secret "${leak}"`;
    const wrong = misfit({ method, url: target }, { statusCode, body, headers: headers as Record<string, string> });
    if (wrong !== null) return wrong;
    if (headers['x-request-id'] === undefined || headers['x-content-type-options'] !== 'nosniff')
      return 'it lacks the headers of every answer';
    if (statusCode === 200 && isCall(asked)) return callMisfit(headers['content-type'], body);
    if (statusCode < 400 || method === 'HEAD') return null;
    if (isRpcError(target, body) || isPageOfLogin(target, headers)) return null;
    if (headers['content-type'] !== 'application/problem+json')
      return `a refusal of the type ${headers['content-type']}`;
    return JSON.parse(body).status === statusCode ? null : 'a refusal that names another status than its own';
  };
}
