import { type AuthProvider, type HttpTier, isKitError, KitError } from '@kit-run/kit/plugin';
import type { FastifyError, FastifyReply, FastifyRequest, onRequestHookHandler } from 'fastify';
import { authenticator, isStillAdmitted, NOBODY } from './authenticate.js';
import type { Cors } from './cors.js';
import type { Lifecycle } from './lifecycle.js';
import type { PageGuard } from './page-guard.js';
import { pathOf, type SendProblem } from './problem.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** What the route asked of its caller; null until it is known. */
    askedTier: HttpTier | null;
    /** The request was refused before its route saw it. */
    isRefusedAtEntry: boolean;
  }
}

/** What every request passes. */
export interface EntryParts {
  readonly auth: AuthProvider;
  readonly lifecycle: Pick<Lifecycle, 'state'>;
  readonly cors: Cors | null;
  /** Null: callers are authenticated, and a page has no rights of its own. */
  readonly pageGuard: PageGuard | null;
  readonly version: string;
  readonly sendProblem: SendProblem;
}

/**
 * A path without a route tells what it is to whoever may read; otherwise a stranger could try out
 * addresses.
 */
const TIER_OF_UNKNOWN: HttpTier = 'read';

/**
 * One hook before everything of a request is parsed, and before any hook of a group: common
 * headers, preflight, readiness, who calls. One and not six, because each costs every request a
 * step; it refuses by itself, so that no error handler of a group can turn a refusal into an
 * answer.
 */
export function createEntryHook(parts: EntryParts): onRequestHookHandler {
  const { auth, lifecycle, cors, pageGuard, version, sendProblem } = parts;
  const authenticate = authenticator(auth);
  return (request, reply, done) => {
    request.caller = NOBODY;
    request.isStillAdmitted = always;
    request.askedTier = null;
    request.isRefusedAtEntry = false;
    reply.header('x-request-id', request.id).header('kit-version', version).header('x-content-type-options', 'nosniff');
    // A page on another port of this machine sends no Origin with an image: it sees nothing of it.
    if (pageGuard !== null) reply.header('cross-origin-resource-policy', 'same-origin');
    const refuse = (error: FastifyError | KitError): void => {
      request.isRefusedAtEntry = true;
      sendProblem(error, request, reply);
    };
    const refused = pageGuard?.(judgedHeaders(request)) ?? null;
    if (refused !== null) {
      refuse(refused);
      return;
    }
    if (cors?.(request, reply) === true) return;
    forgetUselessType(request);
    const { config } = request.routeOptions;
    if (lifecycle.state !== 'ready' && config?.isAlwaysOpen !== true) {
      refuse(notReady(lifecycle, reply));
      return;
    }
    const page = pageFor(request);
    if (page !== null) {
      reply.code(303).header('location', page).header('vary', 'accept').send();
      return;
    }
    const admit = (tier: HttpTier): void => {
      request.askedTier = tier;
      if (tier === 'public') {
        done();
        return;
      }
      reply.header('cache-control', 'no-store');
      request.isStillAdmitted = () => isStillAdmitted(auth, request, tier);
      authenticate(request, reply, tier).then((refusal) => (refusal === null ? done() : refuse(refusal)), fail);
    };
    const fail = (cause: unknown): void =>
      refuse(isKitError(cause) ? cause : new KitError('KIT_INTERNAL', 'the server failed to answer', { cause }));
    const tier = config?.facts === undefined ? TIER_OF_UNKNOWN : (config.tier ?? 'admin');
    if (typeof tier === 'string') admit(tier);
    else decide(tier, request).then(admit, fail);
  };
}

/** What is open to everybody stays open. */
const always = async (): Promise<boolean> => true;

/**
 * Where browsers are led to by others, such as the end of a login, a person who arrives may come
 * from another site. What a script or a frame of that site asks for is not an arrival.
 */
function judgedHeaders({ headers, routeOptions }: FastifyRequest): FastifyRequest['headers'] {
  const isArrival = headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document';
  if (routeOptions.config?.isFromElsewhere !== true || !isArrival) return headers;
  const { 'sec-fetch-site': _site, ...judged } = headers;
  return judged;
}

/**
 * Where a browser is sent that was led here by a link: before anybody is asked who they are, and
 * whether there is such a thing or not, for the page itself asks. Null: a program asks.
 */
function pageFor({ method, headers, url, routeOptions }: FastifyRequest): string | null {
  const below = routeOptions.config?.page;
  if (below === undefined || method !== 'GET' || !/^text\/html\b/.test(headers.accept ?? '')) return null;
  return `${below}${pathOf(url).split('/').at(-1)}`;
}

/**
 * Many clients name a type with every POST, and `curl -d ''` does: the type of a body that is not
 * there says nothing. Where there is no route no body is read: whatever its type, even one that is
 * none, the answer is that there is no route.
 */
function forgetUselessType({ headers, is404 }: FastifyRequest): void {
  const length = headers['content-length'];
  if (headers['transfer-encoding'] === undefined && (length === undefined || length === '0'))
    delete headers['content-type'];
  else if (is404) headers['content-type'] = 'application/octet-stream';
}

/** A throw of the function is a refusal, as a rejection is. */
const decide = async (
  tier: (request: FastifyRequest) => HttpTier | Promise<HttpTier>,
  request: FastifyRequest,
): Promise<HttpTier> => tier(request);

function notReady({ state }: Pick<Lifecycle, 'state'>, reply: FastifyReply): KitError {
  if (state === 'stopping') reply.header('connection', 'close');
  return new KitError('KIT_NOT_READY', state === 'stopping' ? 'the server is stopping' : 'the server is starting');
}
