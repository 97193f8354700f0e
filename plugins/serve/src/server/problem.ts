import { httpHint, overHttp } from '@kit-run/kit/command';
import { ERROR_REGISTRY, type ErrorCode, isKitError, KitError, type Log, problemCode } from '@kit-run/kit/plugin';
import type { FastifyError, FastifyReply, FastifyRequest, FastifySchemaValidationError } from 'fastify';
import { asksInCommands } from './words-for.js';

/** One misfit of a request: where in it, and what is wrong. */
export interface ProblemEntry {
  /** JSON Pointer into the part that is named first: `/body/input`, `/query/limit`. */
  readonly pointer?: string;
  readonly message: string;
  readonly code: string;
  /**
   * Of an edit: the file, relative to the workspace, and the line in it. The pointer leads into
   * that file.
   */
  readonly path?: string;
  readonly line?: number | null;
}

/** RFC 9457; `code` is the stable name that clients compare (docs/design/decisions.md#problems). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: string;
  readonly hint: string;
  /** Of an artifact that was refused. */
  readonly valid?: false;
  readonly errors?: readonly ProblemEntry[];
  /** What a command line shows of the refusal with `--json`; for command lines alone. */
  readonly data?: KitError['data'];
}

const titleOf = (code: ErrorCode): string => {
  const words = problemCode(code).replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

/**
 * Use cases that judge one thing alone leave the code of an entry out: it is that of the refusal.
 */
type ThrownEntry = Omit<ProblemEntry, 'code'> & Partial<Pick<ProblemEntry, 'code'>>;

function entriesOf({ code, data = {} }: Pick<KitError, 'code' | 'data'>): Pick<Problem, 'errors' | 'valid'> {
  const { errors, valid } = data;
  // thrown by kit's own code
  const entries = (Array.isArray(errors) ? errors : []) as readonly ThrownEntry[];
  return {
    ...(valid === false ? { valid } : {}),
    ...(Array.isArray(errors)
      ? { errors: entries.map((entry) => ({ ...entry, code: entry.code ?? problemCode(code) })) }
      : {}),
  };
}

/**
 * The document of a refusal. `instance`: the path of the request, without its query. `inCommands`:
 * its words are those of the command line.
 */
export function problemOf(error: KitError, instance: string, inCommands = false): Problem {
  const { http, hint } = ERROR_REGISTRY[error.code];
  return {
    type: `urn:kit:error:${problemCode(error.code)}`,
    title: titleOf(error.code),
    status: http,
    detail: inCommands ? error.message : overHttp(error.message),
    instance,
    code: problemCode(error.code),
    hint: inCommands ? (error.hint ?? hint) : httpHint(error.code, error.hint),
    ...entriesOf(error),
    ...(inCommands && Object.keys(error.data).length > 0 ? { data: error.data } : {}),
  };
}

/** A caller who named a value that is none is told which there are. */
function wordsOf({ keyword, message = 'does not fit', params }: FastifySchemaValidationError): string {
  const { allowedValues } = params;
  return keyword === 'enum' && Array.isArray(allowedValues) ? `must be one of ${allowedValues.join(', ')}` : message;
}

/**
 * Misfits that a refusal names: nobody fixes more at once, and an answer must not be larger than
 * what was sent.
 */
const MAX_ENTRIES = 100;

/** What Fastify itself refuses, in the words of the registry. */
function refusalOf(error: FastifyError): KitError {
  if (error.validation !== undefined) {
    const part = error.validationContext === 'querystring' ? 'query' : (error.validationContext ?? 'body');
    const errors = error.validation.slice(0, MAX_ENTRIES).map((misfit) => ({
      pointer: `/${part}${misfit.instancePath}`,
      message: wordsOf(misfit),
      code: misfit.keyword,
    }));
    const detail = errors.map(({ pointer, message }) => `${pointer} ${message}`).join('; ');
    return new KitError('KIT_REQUEST_INVALID', detail, { data: { errors } });
  }
  if (error.statusCode === 413)
    return new KitError('KIT_REQUEST_TOO_LARGE', 'the body is larger than this route takes');
  if (error.statusCode === 415)
    return new KitError('KIT_MEDIA_TYPE_UNSUPPORTED', 'this route does not accept the media type of the body');
  if (error.code === 'FST_ERR_BAD_URL')
    return new KitError('KIT_REQUEST_MALFORMED', 'the path holds a % that encodes nothing', { hint: MEND_PATH });
  if (error.code === 'FST_ERR_MAX_PARAM_LENGTH')
    return new KitError('KIT_REQUEST_MALFORMED', 'a part of the path is longer than any id', { hint: MEND_PATH });
  if (error.code === 'EMFILE' || error.code === 'ENFILE')
    return new KitError('KIT_TOO_MANY_FILES', 'the server may open no more files', { cause: error });
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) return new KitError('KIT_REQUEST_MALFORMED', error.message);
  return new KitError('KIT_INTERNAL', 'the server failed to answer', { cause: error });
}

const MEND_PATH = 'Percent-encode each part of the path once, as UTF-8.';

/** Every error becomes a problem document here, and nowhere else. */
export type SendProblem = (
  error: FastifyError | KitError,
  request: FastifyRequest,
  reply: FastifyReply,
) => FastifyReply;

export function createProblemSender(log: Log): SendProblem {
  return (error, request, reply) => {
    const refusal = isKitError(error) ? error : refusalOf(error);
    const problem = problemOf(refusal, pathOf(request.url), asksInCommands(request));
    if (problem.status >= 500 && problem.status !== 503)
      log.error('a request failed', { request_id: request.id, code: refusal.code, error, stack: error.stack });
    const { retryAfterSeconds } = refusal.data ?? {};
    if (typeof retryAfterSeconds === 'number') reply.header('retry-after', String(Math.ceil(retryAfterSeconds)));
    if (problem.status === 401 && !reply.hasHeader('www-authenticate'))
      reply.header('www-authenticate', 'Bearer realm="kit"');
    return reply
      .code(problem.status)
      .type('application/problem+json')
      .header('cache-control', 'no-store')
      .serializer(JSON.stringify)
      .send(problem);
  };
}

/** Path of an address; a query may hold what nobody should log or repeat. */
export const pathOf = (url: string): string => {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
};
