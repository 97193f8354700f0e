import type { App } from '../app/app.js';
import type { ProofDeps } from '../app/proof/create-proof-app.js';
import type { ServeApp } from '../app/serve/serve-app.js';
import type { ProcessSettings } from '../cli/kit-command.js';
import type { SignalListener } from '../domain/ports/sinks.js';
import { createArtifacts } from './app-artifacts.js';
import { createAuthoring } from './app-authoring.js';
import { createCanary } from './app-canary.js';
import { createConversations } from './app-conversations.js';
import { createEditing } from './app-editing.js';
import { createEvents } from './app-events.js';
import { createHttp, createMetrics } from './app-http.js';
import { createInfo } from './app-info.js';
import { createJobs } from './app-jobs.js';
import { createObserve } from './app-observe.js';
import { createPlugins } from './app-plugins.js';
import { createProofs } from './app-proof.js';
import { createProviders } from './app-providers.js';
import { createReview } from './app-review.js';
import { createRuns, type Runs } from './app-runs.js';
import { createServe } from './app-serve.js';
import { createTriggers } from './app-triggers.js';
import type { LoadedPlugins } from './discovery/plugins.js';
import type { LogLines } from './terminal.js';

/** What the composition is made of. */
export interface AppParts {
  readonly plugins: LoadedPlugins;
  readonly settings: ProcessSettings;
  readonly env: NodeJS.ProcessEnv;
  /** Where the log of this process goes. */
  readonly logLines: Pick<LogLines, 'write'>;
  /** Takes the events that `/events/signal` and event targets hand in; default: what the workspace or a plugin names. */
  readonly signalListener?: SignalListener;
}

/** Wires use cases to real parts; every part is imported when it is first used. */
export function createApp(parts: AppParts): App {
  const plugins = createPlugins(parts);
  const runs = createRuns(parts, plugins);
  const serve = createServe(runs.serve);
  const events = createEvents(runs, parts.signalListener ?? null);
  const triggers = createTriggers(runs, { serve, events });
  const app: App = {
    plugins: plugins.app,
    authoring: createAuthoring(parts, plugins.host),
    runs: runs.app,
    observe: createObserve(runs.observe),
    review: createReview(async () => ({ ...(await runs.review()), isSwept: () => isServing(serve) })),
    proofs: createProofs(() => proofDeps(parts, runs)),
    artifacts: createArtifacts(runs.observe),
    events,
    providers: createProviders(parts, plugins.host),
    canary: createCanary(runs),
    conversations: createConversations(runs),
    editing: createEditing(parts, plugins, () => app.serve.reload()),
    info: createInfo({ ...parts, managed: plugins, runs, app: () => app }),
    http: createHttp({ ...parts, runs, host: plugins.host, app: () => app }),
    metrics: createMetrics({ ...parts, runs, serve: () => serve }),
    serve,
    jobs: createJobs(runs.observe),
    triggers,
    validateWorkspace: runs.validate,
    close: async () => {
      await triggers.stop();
      await runs.close();
      await plugins.close();
    },
  };
  return app;
}

function isServing(serve: Pick<ServeApp, 'current'>): boolean {
  try {
    serve.current();
    return true;
  } catch {
    return false; // it says so by throwing
  }
}

async function proofDeps(parts: AppParts, runs: Runs): Promise<ProofDeps> {
  const [looking, { nodeFiles }, { openSigner }, { join }] = await Promise.all([
    runs.observe(),
    import('../system/files.js'),
    import('./signing-key.js'),
    import('node:path'),
  ]);
  return {
    ...looking,
    files: nodeFiles,
    openSigner: () => openSigner(parts.env),
    schemaPath: join(parts.plugins.packageRoot, 'schemas', 'proof.schema.json'),
  };
}
