import type { Readable, Writable } from 'node:stream';
import { MessageLines, messageOf } from '@kit-run/kit/plugin';
import { agentServer } from '../agent-server.js';
import { parseJSONRPCMessage, serveStdio } from '../sdk/parts.js';
import { offeredTools, type ServedWorkspace } from './offered-tools.js';
import { createOwnRuns } from './own-runs.js';
import { type StdioUses, stdioBackend } from './stdio-backend.js';

/** As over HTTP: two images of 20 MiB in base64 fit. */
const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
/** A client that goes waits two seconds before it ends this process by a signal. */
const GRACE_MS = 1_500;

export interface ClientParts {
  readonly app: StdioUses;
  /** Absolute directories, each once. */
  readonly workspaces: readonly string[];
  /** [] = every topology. */
  readonly globs: readonly string[];
  readonly identity: string;
  /** Of kit. */
  readonly version: string;
  readonly stdin: Readable;
  readonly stdout: Writable;
  /** For people; stdout is the protocol's alone. */
  readonly printLine: (line: string) => void;
}

/** The server of the client that started this process. */
export interface ClientServer {
  /** Names of the tools. */
  readonly tools: readonly string[];
  /** The client has gone. */
  readonly ended: Promise<void>;
  /** Stops what the client began, and lets go of it. */
  readonly stop: () => Promise<void>;
}

/**
 * Serves some workspaces to one client. Throws KIT_WORKSPACE_NOT_FOUND, KIT_WORKSPACE_INVALID, and
 * what `offeredTools` throws; nothing was read of the client then.
 */
export async function serveClient(parts: ClientParts): Promise<ClientServer> {
  const { app, workspaces, globs, identity, version, stdin, stdout, printLine } = parts;
  const served = await Promise.all(
    workspaces.map(
      async (directory): Promise<ServedWorkspace> => ({ directory, offered: await app.info.offered(directory) }),
    ),
  );
  const tools = offeredTools(served, globs);
  const gone = new AbortController();
  const ended = Promise.withResolvers<void>();
  for (const event of ['end', 'close', 'error'] as const) stdin.once(event, () => ended.resolve());
  stdout.once('error', () => ended.resolve());
  const own = createOwnRuns(identity, (error) => printLine(`a run could not go on here: ${messageOf(error)}`));
  const backend = stdioBackend({
    ...{ app, workspaces: served, tools, identity, own, over: gone.signal },
    onDefect: (error) =>
      printLine(`a call failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`),
  });
  const [first] = served;
  const title = served.length === 1 && first !== undefined ? first.offered.name : null;
  const refused = (why: string): void => printLine(`a message of the client was refused: ${why.slice(0, 300)}`);
  const handle = serveStdio(({ era }) => agentServer(backend, { version, title, era }), {
    transport: new MessageLines({
      ...{ input: stdin, output: stdout, maxBytes: MAX_MESSAGE_BYTES },
      read: parseJSONRPCMessage,
      onRefused: refused,
    }),
    onerror: (error) => refused(error.message),
  });
  return {
    tools: tools.map(({ definition }) => definition.name),
    ended: ended.promise,
    stop: async () => {
      gone.abort('the client has gone');
      await own.end(GRACE_MS);
      // Stdin would keep the process; it is let go of with the connection.
      await handle.close();
    },
  };
}
