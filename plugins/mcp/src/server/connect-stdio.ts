import { messageOf } from '@kit-run/kit/plugin';
import { lastLines, serverFailed } from '../failure.js';
import type { StdioSettings } from '../settings.js';
import { planLaunch } from '../stdio/launch.js';
import { type ProcessEnd, StdioTransport } from '../stdio/transport.js';
import { type Connection, watch } from './connection.js';
import { makeClient } from './make-client.js';
import { type ConnectRequest, NO_TIMEOUT_MS } from './parts.js';

function endOf(end: ProcessEnd): {
  readonly what: string;
  readonly stderr: readonly string[];
  readonly isSpawn: boolean;
} {
  if (!end.ok)
    return {
      what: `cannot be started: ${messageOf(end.error)}`,
      stderr: [],
      isSpawn: true,
    };
  const { exitCode, signal, ended, stderrTail } = end.result;
  const how = signal === null ? `exit code ${String(exitCode)}` : `signal ${signal}`;
  return { what: `ended before it answered (${ended ?? how})`, stderr: lastLines(stderrTail), isSpawn: false };
}

/**
 * Starts a server and greets it. Throws KIT_TOOL_SERVER_FAILED with what it wrote on stderr; no
 * process is left then.
 */
export async function connectStdio({
  settings,
  ...request
}: ConnectRequest & { readonly settings: StdioSettings }): Promise<Connection> {
  const { server, context, plugin, options, limits, stop } = request;
  const launch = await planLaunch(server.id, settings, context);
  const transport = new StdioTransport({
    start: launch,
    clock: context.clock,
    log: context.log,
    server: server.id,
    maxChars: limits.maxMessage,
  });
  const client = makeClient(plugin.plugin.version, options);
  client.onerror = () => context.log.debug('an MCP server answered what nobody asked', { server: server.id });
  const watched = watch(client, () => {});
  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= transport.close();
    return closing;
  };
  try {
    await client.connect(transport, { timeout: NO_TIMEOUT_MS, signal: stop });
  } catch (error) {
    const isStopped = stop.aborted;
    const hasEnded = !isStopped && !watched.isOpen();
    await close();
    const end = await transport.ended;
    const { what, stderr, isSpawn } =
      end === null ? { what: 'was not started', stderr: [], isSpawn: true } : endOf(end);
    if (isSpawn || hasEnded) throw serverFailed(server.id, isSpawn ? 'spawn' : 'exited', what, { stderr });
    if (isStopped)
      throw serverFailed(
        server.id,
        context.signal.aborted ? 'aborted' : 'timeout',
        'did not answer `initialize` in time',
        { stderr },
      );
    throw serverFailed(server.id, 'protocol', `answered \`initialize\` with a mistake: ${messageOf(error)}`, {
      stderr,
    });
  }
  return {
    client,
    ...watched,
    stderr: async () => {
      const end = watched.isOpen() ? null : await transport.ended;
      return end === null ? [] : endOf(end).stderr;
    },
    close,
  };
}
