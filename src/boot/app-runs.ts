import type { RunsApp } from '../app/runs/runs-app.js';
import type { DocumentReader } from './open-documents.js';
import { noVault } from './open-vault.js';
import type { AppParts, Outbound, Plugins, Runs } from './parts.js';

/** Wires the use cases around runs; every part is imported when it is first used. */
export function createRuns(parts: AppParts, plugins: Plugins, outbound: Outbound): Runs {
  let opened: ReturnType<typeof openRuns> | undefined;
  let documents: Promise<DocumentReader> | undefined;
  /** What was read of documents is remembered as long as this process validates. */
  const openDocuments = () => (documents ??= import('./open-documents.js').then(({ openDocuments: open }) => open()));
  const open = () => (opened ??= openRuns(parts, plugins, outbound));
  const app = async (): Promise<RunsApp> => (await open()).app;
  return {
    app: {
      plan: async (start) => (await app()).plan(start),
      start: async (start) => (await app()).start(start),
      resume: async (resume) => (await app()).resume(resume),
      fork: async (fork) => (await app()).fork(fork),
      retry: async (retry) => (await app()).retry(retry),
      goOn: async (request) => (await app()).goOn(request),
      stop: async (stop) => (await app()).stop(stop),
      checkpoints: async (list) => (await app()).checkpoints(list),
      introduce: async (start) => (await app()).introduce(start),
      approveAdapter: async (approve) => (await app()).approveAdapter(approve),
    },
    observe: async () => (await open()).read(),
    review: async () => (await open()).review(),
    session: async (workspace) => (await open()).parts.sessions.of(workspace),
    serve: async () => (await open()).serve(),
    work: async () => (await open()).work(),
    events: async () => (await open()).events(),
    validate: async (directory, as) => {
      const [{ validateWorkspace }, { workspaceDeps }] = await Promise.all([
        import('../app/validate-workspace.js'),
        import('./open-session.js'),
      ]);
      const deps = await workspaceDeps({ env: parts.env, host: plugins.host });
      const openPlugins: (typeof deps)['openPlugins'] = async ({ root, credentials }, lookup) => {
        const [{ openWorkspaceHost }, { parts: own }] = await Promise.all([import('./workspace-host.js'), open()]);
        const { host } = await openWorkspaceHost({
          env: parts.env,
          log: own.log,
          files: deps.files,
          openHost: plugins.openHost,
          vault: noVault,
          outbound,
          workspace: { root, credentials, lookup },
        });
        return host;
      };
      return validateWorkspace(directory, { ...deps, ...as, openPlugins, openDocuments });
    },
    close: async () => {
      const there = await opened?.catch(() => null);
      await Promise.all([...(there?.parts.sharedServers.open ?? [])].map((servers) => servers.close()));
      await there?.parts.stores.close();
    },
  };
}

/** The parts, and what each group of use cases picks from them. */
async function openRuns(appParts: AppParts, plugins: Plugins, outbound: Outbound) {
  const [{ openRunParts }, { eventsParts, openHooks, openRunsApp, readDeps, reviewDeps, serveDeps, workerDeps }] =
    await Promise.all([import('./run-parts.js'), import('./run-deps.js')]);
  const parts = await openRunParts(appParts, plugins, outbound);
  return {
    parts,
    app: await openRunsApp(parts),
    read: () => readDeps(parts),
    review: () => reviewDeps(parts),
    events: () => eventsParts(parts),
    serve: async () => {
      parts.sharedServers.isOn = true;
      return { ...serveDeps(parts), hooks: await openHooks(parts) };
    },
    work: async () => {
      parts.sharedServers.isOn = true;
      return { ...(await workerDeps(parts)), hooks: await openHooks(parts) };
    },
  };
}
