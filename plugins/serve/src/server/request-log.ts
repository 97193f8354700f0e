import type { Log } from '@kit-run/kit/plugin';
import type { FastifyReply, FastifyRequest, onResponseHookHandler } from 'fastify';
import type { AccessLog } from './access-log.js';
import type { HttpMetrics } from './http-metrics.js';
import { isDeclared, type RouteFacts } from './route-table.js';

/** Route of a request that no route took. */
export const NO_ROUTE = '(none)';

/** Who hears of a finished request. */
export interface RequestLogParts {
  readonly log: Log;
  readonly access: AccessLog;
  readonly metrics: HttpMetrics;
}

/**
 * Every call that may change something, and everybody who was refused
 * (docs/server.md#what-it-tells-of-itself). Reads would drown them.
 */
const isForAccessLog = ({ askedTier }: FastifyRequest, status: number): boolean =>
  askedTier === 'run' || askedTier === 'admin' || status === 403;

function noteAccess(
  access: AccessLog,
  request: FastifyRequest,
  { route, status }: { readonly route: string; readonly status: number },
): void {
  const { clientId, provider } = request.caller;
  access.add({ clientId, provider, method: request.method, route, status, requestId: request.id });
}

function noteDefect(
  log: Log,
  facts: RouteFacts,
  { request, status }: { readonly request: FastifyRequest; readonly status: number },
): void {
  const { method, pattern, plugin } = facts;
  log.error('a route answered with a status that it does not declare', {
    method,
    route: pattern,
    status,
    plugin,
    request_id: request.id,
  });
}

/**
 * One line, one observation and perhaps one entry for each finished request: never an address, a
 * query or a header.
 */
export function createResponseHook({ log, access, metrics }: RequestLogParts): onResponseHookHandler {
  return (request: FastifyRequest, reply: FastifyReply, done) => {
    const facts = request.routeOptions.config?.facts;
    const route = facts?.pattern ?? NO_ROUTE;
    const status = reply.statusCode;
    const ms = reply.elapsedTime;
    metrics.observe({ method: request.method, route, status, seconds: ms / 1000 });
    log.info('request', {
      method: request.method,
      route,
      status,
      ms: Math.round(ms * 10) / 10,
      request_id: request.id,
      client_id: request.caller.clientId,
    });
    if (isForAccessLog(request, status)) noteAccess(access, request, { route, status });
    if (facts !== undefined && !request.isRefusedAtEntry && !isDeclared(status, facts.mayAnswer))
      noteDefect(log, facts, { request, status });
    done();
  };
}
