import { onTestFinished } from 'vitest';
import { runServer } from '../../../plugins/serve/src/start/run-server.js';
import { type AppWorld, openApp } from '../http/open-app.js';

/** A server as `kit serve` starts it, with the endpoint of MCP. */
export interface McpServer extends AppWorld {
  /** Without a slash at its end. */
  readonly url: string;
  readonly stop: () => Promise<void>;
}

/** On a free port, until the test ends. `origins`: pages that may call. */
export async function openMcpServer(
  files: Readonly<Record<string, string>>,
  {
    variables = {},
    origins = [],
  }: { readonly variables?: Readonly<Record<string, string>>; readonly origins?: readonly string[] } = {},
): Promise<McpServer> {
  const world = await openApp(files, variables);
  const running = await runServer(
    world.app,
    {
      workspace: world.workspace,
      host: '127.0.0.1',
      port: 0,
      role: 'all',
      maxQueued: null,
      profile: 'standard',
      insecure: false,
      corsOrigins: origins,
    },
    '0.0.0',
  );
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => (stopped ??= running.stop());
  onTestFinished(stop);
  return { ...world, url: running.url, stop };
}
