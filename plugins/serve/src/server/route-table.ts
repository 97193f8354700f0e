import type { MountedGroup } from '@kit-run/kit/command';
import type { HttpTier } from '@kit-run/kit/plugin';
import type { RouteOptions } from 'fastify';

/** One method of one route, as it was registered. */
export interface RouteFacts {
  readonly method: string;
  /** With its prefix: `/run/:topology`. */
  readonly pattern: string;
  /** `by-request`: a function of the route decides. */
  readonly tier: HttpTier | 'by-request';
  /** Status codes beyond those that every route may answer. */
  readonly mayAnswer: readonly number[];
  /** Left out of OpenAPI and of the table of tiers: it answers that something is not here. */
  readonly isHidden: boolean;
  /** One sentence for OpenAPI; '' = none. */
  readonly summary: string;
  readonly plugin: string;
  readonly isBundled: boolean;
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Set by the server for every route of a group. */
    facts?: RouteFacts;
    /** Records what a caller who is known tried here without the scope of the tier. */
    onScopeMissing?: (request: FastifyRequest, scope: string) => Promise<void>;
    /**
     * Where the console shows the same: `/console/gates/`, to which the last part of the path is
     * added.
     */
    page?: string;
    /** Answers while the server starts and stops as well. */
    isAlwaysOpen?: boolean;
    /** A page of another origin leads browsers here: what it does is proven in another way. */
    isFromElsewhere?: boolean;
  }
}

/** What every route may answer beside 2xx. Anything else it names in `mayAnswer`. */
export const COMMON_STATUSES: ReadonlySet<number> = new Set([400, 401, 403, 404, 405, 413, 415, 422]);

/** Senders append what they like: of a callback what OAuth names is read, of a hook nothing. */
const ANY_QUERY: ReadonlySet<string> = new Set(['/hooks/:name', '/auth/mcp/callback', '/console', '/console/*']);

/** Whether parameters that the route does not name are let through; elsewhere they are refused. */
export const takesAnyQuery = (pattern: string): boolean => ANY_QUERY.has(pattern);

/** Whether the route said that it may answer so. */
export const isDeclared = (status: number, mayAnswer: readonly number[]): boolean =>
  (status >= 200 && status < 300) || COMMON_STATUSES.has(status) || mayAnswer.includes(status);

/** The facts of a route that a group registers; one entry a method. */
export function factsOf(route: RouteOptions & { readonly url: string }, group: MountedGroup): readonly RouteFacts[] {
  const { tier = group.tier, mayAnswer = [], summary = '' } = route.config ?? {};
  const methods = Array.isArray(route.method) ? route.method : [route.method];
  return methods.map((method) => ({
    method: method.toUpperCase(),
    pattern: route.url,
    tier: typeof tier === 'function' ? 'by-request' : tier,
    mayAnswer,
    isHidden: route.schema !== undefined && 'hide' in route.schema && route.schema.hide === true,
    summary: route.schema !== undefined && 'summary' in route.schema ? String(route.schema.summary) : summary,
    plugin: group.plugin,
    isBundled: group.isBundled,
  }));
}
