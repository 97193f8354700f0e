import { ERROR_REGISTRY, type ErrorCode, isKitError, KitError } from '@kit-run/kit/plugin';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

/** One misfit of a request: where in it, and what is wrong. */
export interface ProblemEntry {
  /** JSON Pointer into the part that is named first: `/body/input`, `/query/limit`. */
  readonly pointer: string;
  readonly message: string;
  readonly code: string;
  /** Of an edit: the file, relative to the workspace, and the line in it. The pointer leads into that file. */
  readonly path?: string;
  readonly line?: number | null;
}

/** RFC 9457; `code` is the stable name that clients compare (gaps A1). */
export interface Problem {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly instance: string;
  readonly code: string;
  readonly hint: string;
  readonly errors?: readonly ProblemEntry[];
  /** Of an edit: false, as its answer would say (gaps G1). */
  readonly valid?: false;
}

const kebab = (code: ErrorCode): string => code.replace(/^KIT_/, '').toLowerCase().replaceAll('_', '-');
const titleOf = (code: ErrorCode): string => {
  const words = kebab(code).replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
};

function entriesOf(data: Readonly<Record<string, unknown>>): Pick<Problem, 'errors' | 'valid'> {
  const { errors, valid } = data;
  const entries = Array.isArray(errors) ? { errors: errors as readonly ProblemEntry[] } : {}; // thrown by kit's own code
  return valid === false ? { valid, ...entries } : entries;
}

/** The document of a refusal. `instance`: the path of the request, without its query. */
export function problemOf(error: KitError, instance: string): Problem {
  const { http, hint } = ERROR_REGISTRY[error.code];
  return {
    type: `urn:kit:error:${kebab(error.code)}`,
    title: titleOf(error.code),
    status: http,
    detail: error.message,
    instance,
    code: kebab(error.code),
    hint: error.hint ?? hint,
    ...entriesOf(error.data ?? {}),
  };
}

/** What Fastify itself refuses, in the words of the registry. */
function refusalOf(error: FastifyError): KitError {
  if (error.validation !== undefined) {
    const part = error.validationContext === 'querystring' ? 'query' : (error.validationContext ?? 'body');
    const errors = error.validation.map(({ instancePath, message, keyword }) => ({
      pointer: `/${part}${instancePath}`,
      message: message ?? 'does not fit',
      code: keyword,
    }));
    const detail = errors.map(({ pointer, message }) => `${pointer} ${message}`).join('; ');
    return new KitError('KIT_REQUEST_INVALID', detail, { data: { errors } });
  }
  if (error.statusCode === 413) return new KitError('KIT_REQUEST_TOO_LARGE', 'the body is larger than this route takes');
  const status = error.statusCode ?? 500;
  if (status >= 400 && status < 500) return new KitError('KIT_REQUEST_MALFORMED', error.message);
  return new KitError('KIT_INTERNAL', 'the server failed to answer', { cause: error });
}

/** Every error of every route becomes a problem document here, and nowhere else. */
export function sendProblem(error: FastifyError | KitError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = isKitError(error) ? error : refusalOf(error);
  const problem = problemOf(refusal, request.url.split('?', 1)[0] ?? '/');
  if (problem.status >= 500) request.log.error({ err: error }, 'request failed');
  return reply.code(problem.status).type('application/problem+json').serializer(JSON.stringify).send(problem);
}
