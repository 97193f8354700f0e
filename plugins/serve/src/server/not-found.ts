import { hintFor } from '@kit-run/kit/command';
import { ERROR_REGISTRY, isObject, KitError } from '@kit-run/kit/plugin';
import type { FastifyReply, FastifyRequest, preValidationHookHandler } from 'fastify';
import findMyWay, { type HTTPMethod } from 'find-my-way';
import { pathOf } from './problem.js';
import type { RouteFacts } from './route-table.js';

/** A path that clients may know from elsewhere, and why it is not here. */
interface Missing {
  readonly path: RegExp;
  readonly hint: string;
}

const MISSING: readonly Missing[] = [
  {
    path: /^(\/api)?\/pipelines(\/|$)/,
    hint: 'Pipelines were removed in 1.189. A topology with children or depends_on does their work: POST /run/{topology}.',
  },
];

/**
 * What to say of a path that other servers of this kind have and this one has not; null = nothing
 * is known of it.
 */
const hintForMissing = (path: string): string | null =>
  MISSING.find((missing) => missing.path.test(path))?.hint ?? null;

/**
 * Takes a path in which a part is empty for one without a route: `/jobs/` is no run without an id,
 * and no list of them.
 */
export const refuseEmptyPart: preValidationHookHandler = ({ params }, reply, done) =>
  hasEmptyPart(params) ? void reply.callNotFound() : done();

/** The rest of a path may be empty: a route that takes it decides. */
const hasEmptyPart = (params: unknown): boolean =>
  isObject(params) && Object.entries(params).some(([name, part]) => name !== '*' && part === '');

/**
 * The methods under which a path is known. The same router as the server's, so that both read a
 * pattern alike.
 */
export function createMethodFinder(routes: readonly RouteFacts[]): (path: string) => readonly string[] {
  const router = findMyWay({ ignoreTrailingSlash: false, maxParamLength: Number.MAX_SAFE_INTEGER });
  const methods = [...new Set(routes.map(({ method }) => method))].sort();
  for (const { method, pattern } of routes) router.on(asMethod(method), pattern, () => {});
  const isThere = (method: string, path: string): boolean => {
    const found = router.find(asMethod(method), path);
    return found !== null && !hasEmptyPart(found.params);
  };
  return (path) => methods.filter((method) => isThere(method, path));
}

const asMethod = (method: string): HTTPMethod => method as HTTPMethod; // Fastify registered it

/**
 * Decides what a request without a route is: known elsewhere (404 with what brings it), known under
 * another method (405 with `Allow`; OPTIONS is answered by it), or unknown (404).
 */
export function createNotFound(methodsAt: () => (path: string) => readonly string[], routes: readonly RouteFacts[]) {
  return (request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const path = pathOf(request.url);
    const hint = hintForMissing(path);
    if (hint !== null) throw new KitError('KIT_ROUTE_UNKNOWN', `there is no route ${request.method} ${path}`, { hint });
    const methods = methodsAt()(path);
    if (methods.length === 0) {
      const known = routes.flatMap(({ pattern, isHidden }) => (isHidden ? [] : [pattern]));
      const fallback = ERROR_REGISTRY.KIT_ROUTE_UNKNOWN.hint;
      throw new KitError('KIT_ROUTE_UNKNOWN', `there is no route ${request.method} ${path}`, {
        hint: hintFor(path, known, { fallback }),
      });
    }
    reply.header('allow', [...new Set([...methods, 'OPTIONS'])].sort().join(', '));
    if (request.method === 'OPTIONS') return reply.code(204).send();
    throw new KitError('KIT_METHOD_NOT_ALLOWED', `${path} takes ${methods.join(', ')}, not ${request.method}`);
  };
}
