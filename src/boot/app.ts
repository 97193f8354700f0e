import type { AdaptersApp } from '../app/adapters/adapters-app.js';
import type { App } from '../app/app.js';
import type { ArtifactsApp } from '../app/artifacts/artifacts-app.js';
import type { AskApp } from '../app/ask/ask-app.js';
import type { CanaryApp } from '../app/canary/canary-app.js';
import type { ChangesApp } from '../app/changes/changes-app.js';
import type { ConnectionsApp } from '../app/connections/connections-app.js';
import type { ConversationsApp } from '../app/conversations/conversations-app.js';
import type { DoctorApp } from '../app/doctor/doctor-app.js';
import type { EvalApp } from '../app/evals/eval-app.js';
import type { FleetApp } from '../app/fleet/fleet-app.js';
import type { InfoApp } from '../app/info/info-app.js';
import type { JobsApp } from '../app/jobs/jobs-app.js';
import type { MemoryApp } from '../app/memory/memory-app.js';
import type { ObserveApp } from '../app/observe/observe-app.js';
import type { ProofApp } from '../app/proof/proof-app.js';
import type { ReviewApp } from '../app/review/review-app.js';
import type { HttpApp } from '../app/serve/http-app.js';
import type { MetricsApp } from '../app/serve/metrics-app.js';
import type { StorageApp } from '../app/storage/storage-app.js';
import type { TriggersApp } from '../app/triggers/triggers-app.js';
import type { TrustApp } from '../app/trust/trust-app.js';
import type { UpgradeApp } from '../app/upgrade/upgrade-app.js';
import type { WorkerApp } from '../app/work/worker-app.js';
import { lazily } from '../lib/lazily.js';
import type { openConnections } from './app-connections.js';
import { createEvents } from './app-events.js';
import { createPlugins } from './app-plugins.js';
import { createRuns } from './app-runs.js';
import { createServe, isServing, servePruning } from './app-serve.js';
import { workspaceApps } from './app-workspace.js';
import type { BootedApp } from './booted-app.js';
import { editingApps } from './editing-apps.js';
import { createOutbound } from './outbound.js';
import type { AppParts, Outbound, Runs } from './parts.js';

/** Wires use cases to real parts; every part is imported when it is first used. */
export function createApp(parts: AppParts): BootedApp {
  const plugins = createPlugins(parts);
  const outbound = createOutbound({ session: (workspace) => runs.session(workspace) });
  const runs: Runs = createRuns(parts, plugins, outbound);
  const storage = lazily<StorageApp>(async () =>
    (await import('./app-storage.js')).openStorage({ env: parts.env, runs }),
  );
  const serve = createServe(async () => servePruning(await runs.serve(), parts, storage));
  const events = createEvents(runs, {
    listener: parts.signalListener ?? null,
    figures: (workspace) => app.metrics.read(workspace),
  });
  let hasTriggers = false;
  let isWorking = false;
  const triggers = lazily<TriggersApp>(async () => {
    hasTriggers = true;
    return (await import('./app-triggers.js')).openTriggers(runs, { serve, events });
  });
  const app: BootedApp = {
    ...readingApps(parts, runs, () => isServing(serve)),
    ...workspaceApps(parts, plugins),
    ...askingApps(parts, runs),
    ...keepingApps(runs),
    plugins: plugins.app,
    runs: runs.app,
    review: lazily<ReviewApp>(async () => {
      const { createReviewApp } = await import('../app/review/create-review-app.js');
      return createReviewApp({ ...(await runs.review()), isSwept: () => isServing(serve) });
    }),
    events,
    ...editingApps(parts, plugins, {
      runs,
      fetchOf: outbound.fetchOf,
      reload: () => serve.reload(),
      isServing: () => isServing(serve),
    }),
    info: lazily<InfoApp>(async () =>
      (await import('./app-info.js')).openInfo({
        ...parts,
        managed: plugins,
        runs,
        app: () => app,
        role: () => (isServing(serve) ? serve.role() : null),
      }),
    ),
    doctor: lazily<DoctorApp>(async () =>
      (await import('./app-doctor.js')).openDoctor({ ...parts, managed: plugins, runs, app: () => app }),
    ),
    http: lazily<HttpApp>(async () =>
      (await import('./app-http.js')).openHttp({ ...parts, runs, outbound, host: plugins.host, app: () => app }),
    ),
    metrics: lazily<MetricsApp>(async () =>
      (await import('./app-metrics.js')).createMetrics({ ...parts, runs, serve: () => serve, app: () => app }),
    ),
    connections: connectionsApp({ ...parts, host: plugins.host }, runs, outbound),
    serve,
    fleet: lazily<FleetApp>(async () => (await import('./app-fleet.js')).openFleet(runs, () => app)),
    work: lazily<WorkerApp>(async () => {
      isWorking = true;
      return (await import('./app-work.js')).openWork(runs);
    }),
    triggers,
    storage,
    upgrade: lazily<UpgradeApp>(async () => (await import('./app-upgrade.js')).openUpgrade(parts, runs)),
    validateWorkspace: runs.validate,
    leave: async () => (await import('./booted-app.js')).leaveApp(app, { hasTriggers, isWorking }),
    close: async () => {
      // One that could not be opened was refused where it was asked for; there is nothing of it to
      // stop.
      if (hasTriggers) await triggers.stop().catch(() => undefined);
      await runs.close();
      await plugins.close();
    },
  };
  return app;
}

/** Logins at servers elsewhere. */
const connectionsApp = (parts: Parameters<typeof openConnections>[0], runs: Runs, outbound: Outbound): ConnectionsApp =>
  lazily<ConnectionsApp>(async () => (await import('./app-connections.js')).openConnections(parts, runs, outbound));

/** Use cases that ask models about runs, in runs of their own. */
const askingApps = (parts: AppParts, runs: Runs): Pick<App, 'ask' | 'evals'> => ({
  ask: lazily<AskApp>(async () => (await import('./app-ask.js')).openAsk(runs)),
  evals: lazily<EvalApp>(async () => (await import('./app-evals.js')).openEvals(parts, runs)),
});

/** Use cases that look at what was run. */
const readingApps = (
  parts: AppParts,
  runs: Runs,
  isSwept: () => boolean,
): Pick<App, 'observe' | 'proofs' | 'artifacts' | 'adapters' | 'trust' | 'changes' | 'jobs'> => ({
  observe: lazily<ObserveApp>(async () =>
    (await import('../app/observe/create-observe-app.js')).createObserveApp(await runs.observe()),
  ),
  proofs: lazily<ProofApp>(async () => (await import('./app-proofs.js')).openProofs(parts, runs)),
  artifacts: lazily<ArtifactsApp>(async () =>
    (await import('../app/artifacts/create-artifacts-app.js')).createArtifactsApp(await runs.observe()),
  ),
  adapters: lazily<AdaptersApp>(async () => (await import('./app-harness.js')).openAdapters(parts, runs)),
  trust: lazily<TrustApp>(async () => (await import('./app-harness.js')).openTrust(runs)),
  changes: lazily<ChangesApp>(async () => (await import('./app-harness.js')).openChanges(parts, runs)),
  jobs: lazily<JobsApp>(async () =>
    (await import('../app/jobs/create-jobs-app.js')).createJobsApp({
      ...(await runs.observe()),
      isSwept,
      defer: (fn) => void setImmediate(fn),
    }),
  ),
});

/** Use cases of what is kept from one run to the next. */
const keepingApps = (runs: Runs): Pick<App, 'canary' | 'conversations' | 'memory'> => ({
  canary: lazily<CanaryApp>(async () => (await import('./app-canary.js')).openCanary(runs)),
  conversations: lazily<ConversationsApp>(async () => (await import('./app-conversations.js')).openConversations(runs)),
  memory: lazily<MemoryApp>(async () => (await import('./app-memory.js')).openMemory(runs)),
});
