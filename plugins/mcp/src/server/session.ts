import type { JsonObject, ServerTool } from '@kit-run/kit/plugin';
import { serverFailed } from '../failure.js';
import type { Client, Tool } from '../sdk/parts.js';
import { readSettings } from '../settings.js';
import { connectHttp, isDownError } from './connect-http.js';
import { connectStdio } from './connect-stdio.js';
import type { Connection } from './connection.js';
import type { Limits } from './limits.js';
import { NO_TIMEOUT_MS, type OpenRequest } from './parts.js';

/** A server whose list never ends is stopped here: more tools than a model could choose from. */
const MAX_PAGES = 100;

// parsed JSON, checked by the SDK to be an object
const plain = (value: unknown): JsonObject => value as JsonObject;

const toolOf = ({ name, description, inputSchema, outputSchema, annotations }: Tool): ServerTool => ({
  name,
  description: description ?? '',
  inputSchema: plain(inputSchema),
  outputSchema: outputSchema === undefined ? null : plain(outputSchema),
  hints: {
    readOnly: annotations?.readOnlyHint ?? null,
    destructive: annotations?.destructiveHint ?? null,
    idempotent: annotations?.idempotentHint ?? null,
  },
});

/**
 * All tools of a server, page by page; [] for one that offers none. Of two with one name the first
 * counts.
 */
async function listTools(client: Client, signal: AbortSignal): Promise<readonly ServerTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const found = new Map<string, ServerTool>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await client.request({ method: 'tools/list', params }, { signal, timeout: NO_TIMEOUT_MS });
    for (const tool of answer.tools) if (!found.has(tool.name)) found.set(tool.name, toolOf(tool));
    if (answer.nextCursor === undefined || answer.nextCursor === cursor) return [...found.values()];
    cursor = answer.nextCursor;
  }
  return [...found.values()];
}

/** The connection that a server has now; a new one when it is gone. */
export interface Session {
  /** Shared by everyone who waits. Throws KIT_TOOL_SERVER_FAILED. */
  connect(): Promise<Connection>;
  tools(): Promise<readonly ServerTool[]>;
  close(): Promise<void>;
}

export function createSession(request: OpenRequest, limits: Limits): Session {
  const { server, context, options } = request;
  const over = new AbortController();
  let current: Promise<Connection> | null = null;
  let listing: Promise<readonly ServerTool[]> | null = null;

  /** Runs one piece of work for as long as a server has to get going. */
  async function inTime<T>(work: (stop: AbortSignal) => Promise<T>): Promise<T> {
    const late = new AbortController();
    const done = new AbortController();
    context.clock.sleep(options.startTimeoutMs, done.signal).then(
      () => late.abort(),
      () => undefined,
    );
    try {
      return await work(AbortSignal.any([context.signal, over.signal, late.signal]));
    } finally {
      done.abort();
    }
  }

  async function open(before: Promise<Connection> | null): Promise<Connection> {
    // What is left of the session before ends first: a process may hold what the next one needs.
    await before?.then(
      (old) => old.close(),
      () => undefined,
    );
    if (over.signal.aborted || context.signal.aborted) throw serverFailed(server.id, 'aborted', 'was closed');
    const settings = readSettings(server.id, await server.settings(), context.workspaceRoot);
    const connection = await inTime((stop) =>
      settings.transport === 'http'
        ? connectHttp({ ...request, limits, stop, settings })
        : connectStdio({ ...request, limits, stop, settings }),
    );
    listing = null;
    connection.onToolsChanged(() => {
      listing = null;
    });
    return connection;
  }

  async function isUsable(connecting: Promise<Connection>): Promise<boolean> {
    return connecting.then(
      (connection) => connection.isOpen(),
      () => false,
    );
  }

  async function connect(): Promise<Connection> {
    const known = current;
    if (known !== null && (await isUsable(known))) return known;
    // Whoever comes first makes the new one; the others find it here.
    if (current === known) current = open(known);
    return current ?? open(null);
  }

  async function list(connection: Connection): Promise<readonly ServerTool[]> {
    return inTime(async (stop) => {
      try {
        return await listTools(connection.client, stop);
      } catch (error) {
        const isDown = !stop.aborted && isDownError(error);
        const [reason, what] = stop.aborted
          ? (['timeout', 'did not list its tools in time'] as const)
          : ([isDown ? 'unreachable' : 'protocol', 'did not list its tools'] as const);
        const data = isDown ? { down: true } : {};
        throw serverFailed(server.id, reason, what, { stderr: await connection.stderr(), data });
      }
    });
  }

  return {
    connect,
    tools: async () => {
      const connection = await connect();
      const asked = listing ?? list(connection);
      listing = asked;
      return asked.catch((error: unknown) => {
        if (listing === asked) listing = null;
        throw error;
      });
    },
    close: async () => {
      over.abort();
      const last = current;
      await last?.then(
        (connection) => connection.close(),
        () => undefined,
      );
    },
  };
}
