import type { JsonObject } from '@kit-run/kit/plugin';
import { isKitError, type KitError, systemCode } from '@kit-run/kit/plugin';
import { isDownStatus, serverFailed } from '../failure.js';
import { createBoundedFetch, NotSent } from '../http/bounded-fetch.js';
import { createRequestEnds } from '../http/request-ends.js';
import {
  type Client,
  ProtocolError,
  SdkHttpError,
  SSEClientTransport,
  SseError,
  StreamableHTTPClientTransport,
  type Transport,
} from '../sdk/parts.js';
import type { HttpSettings, ServerSettings } from '../settings.js';
import { readSettings } from '../settings.js';
import { within } from '../within.js';
import { type Connection, watch } from './connection.js';
import { makeClient } from './make-client.js';
import { type ConnectRequest, NO_TIMEOUT_MS } from './parts.js';

/**
 * For the word that a session is over; a server that does not take it forgets the session by
 * itself.
 */
const GOODBYE_MS = 2_000;

export const statusOf = (error: unknown): number | null =>
  error instanceof SdkHttpError
    ? error.status
    : error instanceof SseError && typeof error.code === 'number'
      ? error.code
      : null;

/**
 * What a server says to `initialize` that speaks the older transport alone (MCP 2025-11-25,
 * transports, backwards compatibility).
 */
const speaksOnlySse = (error: unknown): boolean => [400, 404, 405].includes(statusOf(error) ?? 0);

function failureOf(request: ConnectRequest, error: unknown): KitError {
  const { id } = request.server;
  if (isKitError(error)) return error;
  if (request.context.signal.aborted) return serverFailed(id, 'aborted', 'was aborted: the run is over');
  if (request.stop.aborted) return serverFailed(id, 'timeout', 'did not answer `initialize` in time');
  const status = statusOf(error);
  if (status === 401 || status === 403) {
    const hint = 'Look at `credentials_ref` and `headers` of the server.';
    return serverFailed(id, 'refused', `refuses the credentials (status ${status})`, { hint, data: { status } });
  }
  if (status !== null && isDownStatus(status))
    return serverFailed(id, 'overloaded', `answered with status ${status}`, { data: { status, down: true } });
  if (status !== null) return serverFailed(id, 'protocol', `answered with status ${status}`, { data: { status } });
  // What a server says may repeat what it was sent: only its code is shown.
  if (error instanceof ProtocolError)
    return serverFailed(id, 'protocol', `refused \`initialize\` (code ${error.code})`);
  if (error instanceof NotSent || error instanceof TypeError)
    return serverFailed(id, 'unreachable', `cannot be reached${codeText(error)}`, {
      hint: 'Look at `endpoint`, and whether the server runs.',
      ...(isDownError(error) ? { data: { down: true } } : {}),
    });
  return serverFailed(id, 'protocol', 'does not support the protocol');
}

/** A connection that breaks while it is made counts; anything else that `fetch` throws does not. */
export function isDownError(error: unknown): boolean {
  if (error instanceof NotSent) return error.isDown;
  const status = statusOf(error);
  return status === null ? ['ECONNRESET', 'UND_ERR_SOCKET'].includes(systemCode(error) ?? '') : isDownStatus(status);
}

/**
 * Which way it cannot be reached: a name that nobody has is fixed elsewhere than a server that
 * does not run.
 */
function codeText(error: unknown): string {
  const code = systemCode(error);
  return code === null ? '' : ` (${code})`;
}

interface Session {
  readonly transport: Transport;
  readonly leave: () => Promise<unknown>;
}

async function greet(request: ConnectRequest, session: Session): Promise<Connection> {
  const { context, plugin, options, server, stop } = request;
  const { transport } = session;
  const client: Client = makeClient(plugin.plugin.version, options);
  const watched = watch(client, () => {});
  try {
    const connecting = client.connect(transport, { timeout: NO_TIMEOUT_MS, signal: stop });
    await Promise.race([connecting, stopped(stop)]);
  } catch (error) {
    await transport.close().catch(() => undefined);
    throw error;
  }
  client.onerror = (error) => {
    context.log.debug('an MCP server had a problem on its connection', { server: server.id, problem: error.name });
    // The old transport answers on one stream: when it breaks, no answer to what is in flight can
    // come any more.
    if (error instanceof SseError) void transport.close();
  };
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    if (watched.isOpen() && !context.signal.aborted)
      await within(
        context.clock,
        GOODBYE_MS,
        session.leave().catch(() => undefined),
      );
    await transport.close().catch(() => undefined);
  };
  return {
    client,
    ...watched,
    stderr: async () => [],
    close: () => {
      closing ??= close();
      return closing;
    },
  };
}

/**
 * Rejects when the attempt is given up: a stream that is being opened does not look at the signal.
 */
const stopped = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const give = (): void => reject(signal.reason);
    if (signal.aborted) give();
    else signal.addEventListener('abort', give, { once: true });
  });

/**
 * Reaches a server over Streamable HTTP, else over SSE. Throws KIT_TOOL_SERVER_FAILED, with nothing
 * of a header or the address in it.
 */
export async function connectHttp({
  settings,
  ...request
}: ConnectRequest & { readonly settings: HttpSettings }): Promise<Connection> {
  const { server, context, plugin, limits } = request;
  const ends = createRequestEnds();
  const read = (current: Parameters<typeof readSettings>[1]) => readSettings(server.id, current, context.workspaceRoot);
  const fetch = createBoundedFetch({
    fetch: plugin.fetch,
    headers: () => requestHeaders({ settings: server.settings, bearer: server.bearer, read }),
    maxBytes: limits.maxMessage,
    refused: server.refused ?? (async () => false),
    ends,
  });
  const streamable = new StreamableHTTPClientTransport(settings.endpoint, { fetch });
  ends.watch(streamable);
  try {
    return await greet(request, { transport: streamable, leave: () => streamable.terminateSession() });
  } catch (error) {
    if (!speaksOnlySse(error) || request.stop.aborted) throw failureOf(request, error);
    const older = new SSEClientTransport(settings.endpoint, { fetch });
    return await greet(request, { transport: older, leave: async () => undefined }).catch((second: unknown) => {
      // The first answer says more of a server that speaks neither.
      throw failureOf(request, statusOf(second) === null && !request.stop.aborted ? error : second);
    });
  }
}

interface HeaderParts {
  readonly settings: () => Promise<JsonObject>;
  readonly bearer: () => Promise<string | null>;
  readonly read: (settings: JsonObject) => ServerSettings;
}

/**
 * What each request carries besides the protocol's own: written headers, and the bearer token,
 * which comes before an `Authorization` among them.
 */
async function requestHeaders({ settings, bearer, read }: HeaderParts): Promise<Readonly<Record<string, string>>> {
  const current = read(await settings());
  const written: HttpSettings['headers'] = current.transport === 'http' ? current.headers : {};
  const token = await bearer();
  return token === null ? written : { ...written, authorization: `Bearer ${token}` };
}
