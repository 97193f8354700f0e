import { ERROR_REGISTRY, type ErrorCode } from '../domain/error-registry.js';
import { KitError } from '../domain/errors.js';
import { problemCode } from '../domain/problem-code.js';
import { fieldsOf, maybeObjectAt, maybeTextAt } from '../lib/read-json.js';
import { manyLines, oneLine } from '../view/lines/words.js';

/** Which server answers, for what is said of its answers. */
export interface AnsweringServer {
  readonly base: string;
  /** Where the token that was sent comes from; null = none was sent. */
  readonly tokenFrom: SentToken['from'] | null;
  /** Version of this kit. */
  readonly version: string;
}

/** What one asks with: KIT_TOKEN, or what was kept for the server or is just tried. */
export interface SentToken {
  readonly text: string;
  readonly from: 'KIT_TOKEN' | 'kept';
}

/** An answer that is read: nothing of it is trusted. */
export interface Answer {
  readonly status: number;
  readonly mediaType: string;
  /** Version of the kit that answers; null = it does not say. */
  readonly kitVersion: string | null;
  /** Seconds of Retry-After; null = none. */
  readonly retryAfter: number | null;
  /** Undefined: the body is not JSON. */
  readonly body: unknown;
}

const MAX_MESSAGE = 10_000;

/** A refusal of a server as the same error that the use case throws where the workspace lies. */
export function refusalOf(answer: Answer, asked: AnsweringServer): KitError {
  const problem = fieldsOf(answer.body);
  const code = codeOf(maybeTextAt(problem, 'code'));
  if (code === null || code === 'KIT_ROUTE_UNKNOWN' || code === 'KIT_METHOD_NOT_ALLOWED')
    return otherThanKit(answer, asked, code);
  const detail = manyLines((maybeTextAt(problem, 'detail') ?? '').slice(0, MAX_MESSAGE));
  const given = maybeTextAt(problem, 'hint');
  const hint = given === null ? ERROR_REGISTRY[code].hint : manyLines(given.slice(0, MAX_MESSAGE));
  const data = maybeObjectAt(problem, 'data') ?? {};
  return new KitError(code, detail, { hint: hintOf(code, hint, { answer, asked }), data });
}

/** What somebody at a command line does about it. */
function hintOf(code: ErrorCode, hint: string, { answer, asked }: { answer: Answer; asked: AnsweringServer }): string {
  switch (code) {
    case 'KIT_UNAUTHENTICATED':
      return signIn(asked);
    case 'KIT_SCOPE_MISSING':
      return `Use a key of a higher tier: kit auth login ${asked.base}`;
    case 'KIT_CAPACITY':
    case 'KIT_QUEUE_FULL':
      return answer.retryAfter === null ? hint : `Try again after ${answer.retryAfter} s.`;
    case 'KIT_REQUEST_INVALID':
      // What a command asks is right at a server of its own version.
      return answer.kitVersion === null || answer.kitVersion === asked.version
        ? hint
        : `It runs kit ${oneLine(answer.kitVersion, 40)} and this is kit ${asked.version}: bring both to one version (\`kit upgrade\`).`;
    default:
      return hint;
  }
}

/** A login helps nobody whose KIT_TOKEN wins over it. */
const signIn = ({ base, tokenFrom }: AnsweringServer): string =>
  tokenFrom === 'KIT_TOKEN'
    ? `KIT_TOKEN is set and wins over a login: set it to another key, or unset it and sign in with \`kit auth login ${base}\`.`
    : `Sign in with \`kit auth login ${base}\`, or set KIT_TOKEN.`;

/** Something before the server, or a server of another version, or none at all. */
export function otherThanKit(answer: Answer, asked: AnsweringServer, code: ErrorCode | null): KitError {
  const { status, mediaType, kitVersion } = answer;
  const { base } = asked;
  const what = `${base} answers ${status}${mediaType === '' ? '' : ` with ${oneLine(mediaType, 80)}`}`;
  if (kitVersion !== null && (code !== null || status === 200 || status === 404))
    return new KitError('KIT_SERVER_ANSWER', `${base} runs kit ${oneLine(kitVersion, 40)}, which has no such route`, {
      hint: `This is kit ${asked.version}: bring both to one version (\`kit upgrade\`).`,
    });
  if (status === 401) return new KitError('KIT_UNAUTHENTICATED', what, { hint: signIn(asked) });
  if (status === 403)
    return new KitError('KIT_SCOPE_MISSING', what, {
      hint: 'Something before the server refuses it, such as a proxy or a firewall: ask whoever operates it.',
    });
  if (status === 429)
    return new KitError('KIT_CAPACITY', what, {
      hint: answer.retryAfter === null ? 'Try again later.' : `Try again after ${answer.retryAfter} s.`,
    });
  if (status === 502 || status === 503 || status === 504)
    return new KitError('KIT_SERVER_UNREACHABLE', `${what}: no server stands behind it now`, {
      hint: 'Try again in a moment; if it stays so, ask whoever operates the server.',
    });
  if (status >= 300 && status < 400)
    return new KitError('KIT_SERVER_ANSWER', `${what}: it leads elsewhere, and nothing is sent along`, {
      hint: 'Name the address of the server itself with --server or KIT_SERVER.',
    });
  return new KitError('KIT_SERVER_ANSWER', `${what}, which is not an answer of a kit server`);
}

/**
 * What a good answer holds. Throws KIT_SERVER_ANSWER for one that is not JSON, and for JSON of
 * something else: each answer of kit names its version, and a list that is missing is not an empty
 * one.
 */
export function bodyOf(answer: Answer, asked: AnsweringServer): unknown {
  if (answer.status >= 300) throw refusalOf(answer, asked);
  if (answer.body === undefined || answer.kitVersion === null)
    throw otherThanKit({ ...answer, kitVersion: null }, asked, null);
  return answer.body;
}

/** Null: it is the code of no error of this kit. */
export function codeOf(word: string | null): ErrorCode | null {
  const codes = Object.keys(ERROR_REGISTRY) as readonly ErrorCode[];
  return word === null ? null : (codes.find((code) => problemCode(code) === word) ?? null);
}
