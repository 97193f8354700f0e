import { onTestFinished } from 'vitest';
import { type RunningServer, runServer } from '../../../../plugins/serve/src/start/run-server.js';
import { type AppWorld, openApp } from '../open-app.js';
import { openReceiver, status } from '../receiver.js';
import { FUZZED_FILES, VARIABLES } from './workspace.js';

/** A server as `kit serve` starts it, on a free port, over a workspace and a store of its own. */
export interface FuzzServer extends AppWorld {
  readonly port: number;
  readonly running: RunningServer;
  /** Puts every file back as it was and takes it over. */
  readonly restore: () => Promise<void>;
}

/** `variables`: more of the environment, as `KIT_STORE_URL`. */
export async function openFuzzServer(variables: Readonly<Record<string, string>> = {}): Promise<FuzzServer> {
  const listener = await openReceiver((n, response) => status(n % 3 === 0 ? 500 : 204)(n, response));
  const world = await openApp(FUZZED_FILES, {
    ...VARIABLES,
    SIGNAL_ORIGIN: new URL(listener.url).origin,
    ...variables,
  });
  const options = {
    workspace: world.workspace,
    host: '127.0.0.1',
    port: 0,
    role: 'all' as const,
    maxQueued: null,
    profile: 'standard' as const,
    insecure: false,
    corsOrigins: ['https://app.example'],
  };
  const running = await runServer(world.app, options, '0.0.0');
  onTestFinished(() => running.stop());
  return {
    ...world,
    running,
    port: Number(new URL(running.url).port),
    restore: async () => {
      await world.write(FUZZED_FILES);
      await world.app.serve.reload();
    },
  };
}
