import type { App } from '../app/app.js';
import type { ConnectionsApp } from '../app/connections/connections-app.js';
import { lazily } from '../lib/lazily.js';
import type { openConnections } from './app-connections.js';
import { createEvents } from './app-events.js';
import { createPlugins } from './app-plugins.js';
import { createRuns } from './app-runs.js';
import { createServe, isServing, servePruning } from './app-serve.js';
import type { SkillsParts } from './app-skills.js';
import type { BootedApp } from './booted-app.js';
import { createOutbound } from './outbound.js';
import type { AppParts, OpenedEditing, Outbound, Plugins, Runs } from './parts.js';

/** Wires use cases to real parts; every part is imported when it is first used. */
export function createApp(parts: AppParts): BootedApp {
  const plugins = createPlugins(parts);
  const outbound = createOutbound({ session: (workspace) => runs.session(workspace) });
  const runs: Runs = createRuns(parts, plugins, outbound);
  const storage = lazily(async () => (await import('./app-storage.js')).openStorage({ env: parts.env, runs }));
  const serve = createServe(async () => servePruning(await runs.serve(), parts, storage));
  const events = createEvents(runs, (workspace) => app.metrics.read(workspace));
  let hasTriggers = false;
  let isWorking = false;
  const triggers = lazily(async () => {
    hasTriggers = true;
    return (await import('./app-triggers.js')).openTriggers(runs, { serve, events });
  });
  const app: BootedApp = {
    ...runApps(parts, runs, () => isServing(serve)),
    ...workspaceApps(parts, plugins),
    plugins: plugins.app,
    runs: runs.app,
    review: lazily(async () => {
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
    info: lazily(async () =>
      (await import('./app-info.js')).openInfo({
        ...parts,
        managed: plugins,
        runs,
        app: () => app,
        role: () => (isServing(serve) ? serve.role() : null),
      }),
    ),
    places: { runsPlace: async (workspace) => openRunsPlace(workspace, parts.env) },
    doctor: lazily(async () =>
      (await import('./app-doctor.js')).openDoctor({ ...parts, managed: plugins, runs, app: () => app }),
    ),
    http: lazily(async () =>
      (await import('./app-http.js')).openHttp({ ...parts, runs, outbound, host: plugins.host, app: () => app }),
    ),
    metrics: lazily(async () =>
      (await import('./app-metrics.js')).createMetrics({ ...parts, runs, serve: () => serve, app: () => app }),
    ),
    connections: connectionsApp({ ...parts, host: plugins.host }, runs, outbound),
    serve,
    fleet: lazily(async () =>
      (await import('../app/fleet/create-fleet-app.js')).createFleetApp({
        ...(await runs.observe()),
        queueStats: (ask) => app.jobs.queueStats(ask),
      }),
    ),
    work: lazily(async () => {
      isWorking = true;
      return (await import('../app/work/create-worker-app.js')).createWorkerApp(await runs.work());
    }),
    triggers,
    storage,
    upgrade: lazily(async () => (await import('./app-upgrade.js')).openUpgrade(parts, runs)),
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
  lazily(async () => (await import('./app-connections.js')).openConnections(parts, runs, outbound));

/** Use cases around runs: what was run, what models say of it, what is kept for the next. */
const runApps = (parts: AppParts, runs: Runs, isSwept: () => boolean) => ({
  observe: lazily(async () =>
    (await import('../app/observe/create-observe-app.js')).createObserveApp(await runs.observe()),
  ),
  proofs: lazily(async () => (await import('./app-proofs.js')).openProofs(parts, runs)),
  artifacts: lazily(async () =>
    (await import('../app/artifacts/create-artifacts-app.js')).createArtifactsApp(await runs.observe()),
  ),
  adapters: lazily(async () => (await import('./app-harness.js')).openAdapters(parts, runs)),
  trust: lazily(async () => (await import('./app-harness.js')).openTrust(runs)),
  changes: lazily(async () => (await import('./app-harness.js')).openChanges(parts, runs)),
  jobs: lazily(async () =>
    (await import('../app/jobs/create-jobs-app.js')).createJobsApp({
      ...(await runs.observe()),
      isSwept,
      defer: (fn) => void setImmediate(fn),
    }),
  ),
  ask: lazily(async () => (await import('./app-ask.js')).openAsk(runs)),
  evals: lazily(async () => (await import('./app-evals.js')).openEvals(parts, runs)),
  canary: lazily(async () => (await import('./app-canary.js')).openCanary(runs)),
  conversations: lazily(async () => (await import('./app-conversations.js')).openConversations(runs)),
  memory: lazily(async () => (await import('./app-memory.js')).openMemory(runs)),
});

/** Use cases of somebody who writes a workspace, and what they read. */
const workspaceApps = (parts: AppParts, { host }: Plugins) => ({
  docs: lazily(async () => (await import('./app-docs.js')).createDocs(parts)),
  logins: lazily(async () =>
    (await import('./remote/logins.js')).openLogins({ env: parts.env, packageRoot: parts.plugins.packageRoot }),
  ),
  preferences: lazily(async () => (await import('./user-config.js')).createPreferences(parts.env)),
  authoring: lazily(async () => (await import('./app-authoring.js')).createAuthoring(parts, host)),
  providers: lazily(async () => (await import('./app-providers.js')).createProviders(parts, host)),
});

/** Use cases that change the files of a workspace, one at a time. */
function editingApps(parts: AppParts, plugins: Plugins, around: SkillsParts) {
  let opened: Promise<OpenedEditing> | undefined;
  const open = () =>
    (opened ??= import('./app-editing.js').then(({ openEditing }) => openEditing(parts, plugins, around)));
  return {
    editing: lazily(async () => (await open()).editing),
    skills: lazily(async () => (await import('./app-skills.js')).openSkills(parts, { ...around, ...(await open()) })),
  };
}

/** A few files are looked at, and nothing of the rest of kit is loaded for it. */
async function openRunsPlace(workspace: string, env: NodeJS.ProcessEnv): ReturnType<App['places']['runsPlace']> {
  const [{ runsPlace }, { stateDirOf }, { nodeFiles }] = await Promise.all([
    import('../app/info/runs-place.js'),
    import('./state-dir.js'),
    import('../system/files.js'),
  ]);
  return runsPlace(workspace, { files: nodeFiles, environment: env, stateDirOf: (root) => stateDirOf(root, env) });
}
