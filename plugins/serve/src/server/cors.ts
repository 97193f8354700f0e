import type { FastifyReply, FastifyRequest } from 'fastify';

/** Answers of a preflight may be kept for ten minutes. */
const MAX_AGE_SECONDS = '600';
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
/** What scripts of another origin may read beside the plain headers. */
const EXPOSED = 'ETag, Kit-Audit-Before, Kit-Log-Truncated, Kit-Version, Location, Retry-After, X-Request-Id';

/** Writes the headers of one request; true: it was a preflight, and the answer is sent. */
export type Cors = (request: FastifyRequest, reply: FastifyReply) => boolean;

/**
 * Exact origins, compared byte for byte. `*` answers every origin and then without credentials. A
 * route cannot widen it, and a preflight is answered before anybody is authenticated: a browser
 * sends it without a token. Null: no origin is allowed, and nothing is written.
 */
export function createCors(origins: readonly string[]): Cors | null {
  if (origins.length === 0) return null;
  const isOpen = origins.includes('*');
  const allowed = new Set(origins);
  return (request, reply) => {
    if (!isOpen) reply.header('vary', 'Origin');
    const { origin } = request.headers;
    if (origin === undefined || !(isOpen || allowed.has(origin))) return false;
    reply.header('access-control-allow-origin', isOpen ? '*' : origin);
    if (!isOpen) reply.header('access-control-allow-credentials', 'true');
    if (!isPreflight(request)) {
      reply.header('access-control-expose-headers', EXPOSED);
      return false;
    }
    reply.header('access-control-allow-methods', METHODS).header('access-control-max-age', MAX_AGE_SECONDS);
    const asked = request.headers['access-control-request-headers'];
    if (asked !== undefined)
      reply.header('access-control-allow-headers', asked).header('vary', 'Origin, Access-Control-Request-Headers');
    reply.code(204).send();
    return true;
  };
}

const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === 'OPTIONS' && headers['access-control-request-method'] !== undefined;
