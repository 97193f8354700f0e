import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { fastifySwagger } from '@fastify/swagger';
import type { AccessEntry, MountedGroup } from '@kit-run/kit/command';
import type { AuthProvider, Log } from '@kit-run/kit/plugin';
import Fastify, { type FastifyInstance } from 'fastify';
import type { Registry } from 'prom-client';
import { type AccessLog, createAccessLog } from './access-log.js';
import { answerClientError } from './client-error.js';
import { createCors } from './cors.js';
import { createEntryHook } from './entry-hook.js';
import { createHttpMetrics } from './http-metrics.js';
import { createLifecycle, type Lifecycle, type ServerState } from './lifecycle.js';
import { mountGroup } from './mount-group.js';
import { createMethodFinder, createNotFound } from './not-found.js';
import { swaggerOptions } from './openapi.js';
import { createPageGuard, type PageRules } from './page-guard.js';
import { createProblemSender, type SendProblem } from './problem.js';
import { readJson } from './read-json.js';
import { createResponseHook, NO_ROUTE } from './request-log.js';
import type { RouteFacts } from './route-table.js';
import { buildValidator, createSchemaCheck, sharedValidators } from './validator.js';

/** Printable ASCII: it is written into a header and into a log line. */
const REQUEST_ID = /^[\x20-\x7e]{1,128}$/;

/** The caller's `X-Request-Id` when it is usable, else a fresh one. */
function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id'];
  return typeof given === 'string' && REQUEST_ID.test(given) ? given : randomUUID();
}

/**
 * Ordinary routes and hooks (docs/design/decisions.md#bodies); a route may set its own `bodyLimit`.
 */
const MAX_BODY_BYTES = 1024 * 1024;
/** Longest part of a path that is an id. */
const MAX_PARAM_CHARS = 1024;
/**
 * A request that is not there by then is cut off; Node's own default, which Fastify would switch
 * off.
 */
const REQUEST_TIMEOUT_MS = 300_000;

/** What a server is made of. */
export interface ServerParts {
  /** Absolute directory. */
  readonly workspace: string;
  readonly auth: AuthProvider;
  readonly groups: readonly MountedGroup[];
  /** `Kit-Version`; default 0.0.0. */
  readonly version?: string;
  /** Default: ready from the start. */
  readonly lifecycle?: Lifecycle;
  /** Exact origins, or `*`; default none. */
  readonly corsOrigins?: readonly string[];
  /** Which pages may call; default null = any, for callers are authenticated. */
  readonly pages?: PageRules | null;
  /** Default: silent. */
  readonly log?: Log;
  /** Default: nothing is kept. */
  readonly recordAccess?: (entries: readonly AccessEntry[]) => Promise<void>;
  /** Called with each group of a third party that could not be registered; default: logged. */
  readonly onMountFailed?: (group: MountedGroup, error: unknown) => void;
}

/** What the server tells the groups that describe it. */
export interface ServingFacts {
  readonly version: string;
  readonly state: () => ServerState;
  /** Every method of every route, in the order of mounting. */
  readonly routes: () => readonly RouteFacts[];
  readonly metrics: Registry;
  readonly log: Log;
}

declare module 'fastify' {
  interface FastifyInstance {
    serving: ServingFacts;
  }
}

const SILENT: Log = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

interface Inner {
  readonly log: Log;
  readonly lifecycle: Lifecycle;
  readonly access: AccessLog;
  readonly sendProblem: SendProblem;
}

function bare({ log, sendProblem }: Inner, version: string): FastifyInstance {
  return Fastify({
    bodyLimit: MAX_BODY_BYTES,
    requestTimeout: REQUEST_TIMEOUT_MS,
    forceCloseConnections: true,
    genReqId: requestIdOf,
    clientErrorHandler: answerClientError,
    // No hook runs for an address that is none: what every answer has is written here.
    frameworkErrors: (error, request, reply) => {
      reply
        .header('x-request-id', request.id)
        .header('kit-version', version)
        .header('x-content-type-options', 'nosniff');
      sendProblem(error, request, reply);
      log.info('request', {
        method: request.method,
        route: NO_ROUTE,
        status: reply.statusCode,
        request_id: request.id,
        client_id: '',
      });
    },
    schemaController: { compilersFactory: { buildValidator } },
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: MAX_PARAM_CHARS },
  });
}

async function build(parts: ServerParts, groups: readonly MountedGroup[]): Promise<FastifyInstance> {
  const { workspace, auth, version = '0.0.0', log = SILENT, lifecycle = createLifecycle('ready') } = parts;
  const { corsOrigins = [], pages = null } = parts;
  const access = createAccessLog(parts.recordAccess ?? (async () => {}), log);
  const metrics = createHttpMetrics();
  const sendProblem = createProblemSender(log);
  const server = bare({ log, lifecycle, access, sendProblem }, version);
  const routes: RouteFacts[] = [];
  let finder: ReturnType<typeof createMethodFinder> | undefined;
  try {
    readJson(server);
    server.setErrorHandler(sendProblem);
    server.setNotFoundHandler(createNotFound(() => (finder ??= createMethodFinder(routes)), routes));
    server.decorateRequest('caller');
    server.decorateRequest('isStillAdmitted');
    server.decorateRequest('askedTier', null);
    server.decorateRequest('isRefusedAtEntry', false);
    server.decorate('serving', {
      version,
      state: () => lifecycle.state,
      routes: () => routes,
      metrics: metrics.registry,
      log,
    });
    server.addHook(
      'onRequest',
      createEntryHook({
        auth,
        lifecycle,
        cors: createCors(corsOrigins),
        pageGuard: pages === null ? null : createPageGuard(pages, corsOrigins),
        version,
        sendProblem,
      }),
    );
    server.addHook('onResponse', createResponseHook({ log, access, metrics }));
    server.addHook('onClose', () => access.flush());
    await server.register(fastifySwagger, swaggerOptions({ version, auth: auth.info(), routes }));
    const mount = {
      workspace,
      closing: lifecycle.closing,
      schemas: { buildValidator: sharedValidators(), check: createSchemaCheck() },
      table: (facts: RouteFacts) => void routes.push(facts),
    };
    for (const group of groups) await server.register(mountGroup(group, mount), { prefix: group.prefix });
    await server.ready();
    return server;
  } catch (error) {
    await server.close().catch(() => {}); // it never listened; what went wrong is thrown on
    throw error;
  }
}

/**
 * The HTTP server: what holds for every route, and every group in a scope of its own. It listens to
 * nothing yet. A group of a third party that cannot be registered, or whose schemas do not compile,
 * is left out and reported; one of kit's own is thrown. Schemas of kit's own routes are compiled
 * when they are first needed.
 */
export async function createServer(parts: ServerParts): Promise<FastifyInstance> {
  const foreign = parts.groups.filter(({ isBundled }) => !isBundled);
  try {
    return await build(parts, parts.groups);
  } catch (error) {
    if (foreign.length === 0) throw error;
    return withoutBroken(parts, foreign);
  }
}

/** One more at a time: Fastify says that a server cannot start, and not through whom. */
async function withoutBroken(parts: ServerParts, foreign: readonly MountedGroup[]): Promise<FastifyInstance> {
  const report =
    parts.onMountFailed ??
    ((group, error) => (parts.log ?? SILENT).warn('routes are not mounted', { group: group.id, error }));
  let groups = parts.groups.filter(({ isBundled }) => isBundled);
  let server = await build(parts, groups);
  for (const group of foreign) {
    try {
      const next = await build(parts, [...groups, group]);
      await server.close();
      server = next;
      groups = [...groups, group];
    } catch (error) {
      report(group, error);
    }
  }
  return server;
}
