import { isIPv6 } from 'node:net';
import {
  type FailedGroup,
  type HttpApp,
  KitError,
  type PreparedServer,
  type ServerFacts,
  type ServerOptions,
} from '@kit-run/kit/command';
import { messageOf } from '@kit-run/kit/plugin';
import type { FastifyInstance } from 'fastify';
import { createServer } from '../server/create-server.js';
import { createLifecycle, type Lifecycle } from '../server/lifecycle.js';
import { type BackgroundApps, startBackground } from './background.js';

/** Where a server shall listen; port 0 = any free one. */
interface Address {
  readonly host: string;
  readonly port: number;
}

const codeOf = (error: unknown): string => (error instanceof Error && 'code' in error ? String(error.code) : '');

const urlOf = ({ host, port }: Address): string => `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;

/**
 * Binds, and gives the URL with the real port. Throws KIT_ADDRESS_IN_USE, KIT_USAGE for an address
 * that cannot be bound.
 */
async function listen(server: FastifyInstance, { host, port }: Address): Promise<string> {
  try {
    await server.listen({ host, port });
  } catch (error) {
    const code = codeOf(error);
    if (code === 'EADDRINUSE')
      throw new KitError('KIT_ADDRESS_IN_USE', `another process listens on ${urlOf({ host, port })}`);
    const why =
      code === 'EACCES' ? 'this user may not' : code === 'ENOTFOUND' ? 'there is no such host' : String(code || error);
    throw new KitError('KIT_USAGE', `the server cannot listen on ${urlOf({ host, port })}: ${why}`, {
      hint: 'Choose another --host or --port.',
      cause: error,
    });
  }
  const address = server.server.address();
  return urlOf({ host, port: typeof address === 'object' && address !== null ? address.port : port });
}

/** Answers that are under way when runs are drained may end for this long. */
const LAST_ANSWERS_MS = 1_000;

/** The use cases behind a server. */
export interface ServerApps extends BackgroundApps {
  readonly http: HttpApp;
}

/** A server that takes requests. */
export interface RunningServer {
  readonly url: string;
  readonly prepared: PreparedServer;
  readonly facts: ServerFacts;
  readonly failed: readonly FailedGroup[];
  /**
   * Takes nothing new, ends open streams, lets runs go on for the grace of the workspace, and
   * closes.
   */
  stop(): Promise<void>;
}

/** Resolves when the last connection has ended, or after a moment. */
async function lastAnswers(server: FastifyInstance): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LAST_ANSWERS_MS);
  });
  await Promise.race([new Promise<void>((resolve) => server.server.close(() => resolve())), late]);
  clearTimeout(timer);
}

async function stopServer(server: FastifyInstance, lifecycle: Lifecycle, drain: () => Promise<void>): Promise<void> {
  lifecycle.become('stopping');
  // closes the listener first: nobody connects while runs are drained
  const answered = lastAnswers(server);
  try {
    await drain();
    await answered;
  } finally {
    await server.close();
  }
}

/**
 * Starts a server: everything that can be refused is judged first, then the address is bound (a
 * second server must not take over runs before it finds the address taken), then the runs begin.
 * Throws what `HttpApp.prepare` and `ServeApp.start` throw, KIT_ADDRESS_IN_USE; nothing is left
 * open then.
 */
export async function runServer(apps: ServerApps, options: ServerOptions, version: string): Promise<RunningServer> {
  const { http } = apps;
  const { workspace } = options;
  const prepared = await http.prepare(options);
  const [{ groups, failed }, log] = await Promise.all([http.mounts(workspace), http.log()]);
  const lifecycle = createLifecycle('starting');
  const broken: FailedGroup[] = [...failed];
  const server = await createServer({
    workspace,
    auth: prepared.auth,
    groups,
    version,
    lifecycle,
    corsOrigins: prepared.corsOrigins,
    pages: prepared.pages,
    log,
    recordAccess: (entries) => http.recordAccess(workspace, entries),
    onMountFailed: ({ id, plugin }, error) => broken.push({ id, plugin, reason: messageOf(error) }),
  });
  try {
    const url = await listen(server, prepared);
    const background = await startBackground(apps, { workspace, role: options.role, maxQueued: options.maxQueued });
    const facts = await http.facts(workspace).catch(async (error: unknown) => {
      await background.stop(0);
      throw error;
    });
    lifecycle.become('ready');
    return {
      url,
      prepared,
      facts,
      failed: broken,
      stop: () => stopServer(server, lifecycle, () => background.stop(prepared.shutdownMs)),
    };
  } catch (error) {
    await server.close();
    throw error;
  }
}
