import { fileURLToPath } from 'node:url';
import type { App } from '../app/app.js';
import type { DoctorApp } from '../app/doctor/doctor-app.js';
import type { StoragePlace } from '../app/storage/resolve-storage.js';
import type { DoctorReport } from '../view/doctor-report.js';
import type { AppParts, BootSession, Plugins, Runs } from './parts.js';
import { stateDirOf, tempDirOf } from './state-dir.js';

/** Parts that these use cases share with others; other use cases are asked through the app. */
export interface DoctorParts extends AppParts {
  readonly managed: Plugins;
  readonly runs: Runs;
  readonly app: () => Pick<App, 'info' | 'providers' | 'runs' | 'validateWorkspace'>;
}

/** Wires who looks whether this machine can run a workspace. */
export async function openDoctor(parts: DoctorParts): Promise<DoctorApp> {
  return {
    check: (workspace, { full = false } = {}) => check(parts, { workspace, full }),
    crash: async (workspace, request) => {
      const [{ enumerateCrashes }, { openCrashPlace }, { scratchStores }, { createClock }] = await Promise.all([
        import('../app/doctor/crash/enumerate-crashes.js'),
        import('../doctor/crash-place.js'),
        import('./doctor/scratch-stores.js'),
        import('../system/clock.js'),
      ]);
      const { env } = parts;
      const place = openCrashPlace({
        storage: await storageOfWorkspace(workspace, env),
        stateDir: stateDirOf(workspace, env),
        env,
        tempDir: tempDirOf(env),
        stores: scratchStores,
        program: fileURLToPath(new URL('doctor/crash-process.js', import.meta.url)),
        signal: request.signal,
      });
      try {
        return await enumerateCrashes(place, createClock(), request);
      } finally {
        await place.dispose();
      }
    },
  };
}

async function check(
  parts: DoctorParts,
  { workspace, full }: { readonly workspace: string; readonly full: boolean },
): Promise<DoctorReport> {
  const [
    { maskedChecks, runProbes },
    { machineProbes },
    { isCurrentStore, storeProbes },
    { runsProbe },
    { checkLogs },
    { checkBytes },
    { serverAuthProbe },
    { retentionProbe },
    { planTopologies, workspaceProbes },
    { createClock },
  ] = await Promise.all([
    import('../app/doctor/run-probes.js'),
    import('./doctor/machine-probes.js'),
    import('./doctor/store-probes.js'),
    import('./doctor/runs-probe.js'),
    import('../app/doctor/checks/logs.js'),
    import('../app/doctor/checks/bytes.js'),
    import('./doctor/server-auth-probe.js'),
    import('./doctor/retention-probe.js'),
    import('./doctor/workspace-probes.js'),
    import('../system/clock.js'),
  ]);
  const { env, runs } = parts;
  const app = parts.app();
  const session = () => runs.session(workspace);
  const probeParts = { workspace, env, app, session, host: parts.managed.host };
  let plans: ReturnType<typeof planTopologies> | undefined;
  const planned = () => (plans ??= planTopologies(probeParts));
  const stateDir = stateDirOf(workspace, env);
  const stored = { workspace, env, stateDir, session, full, storage: () => app.info.storage(workspace) };
  let current: Promise<boolean> | undefined;
  const isCurrent = (): Promise<boolean> => (current ??= isCurrentStore(stored));
  const looked = {
    how: { full, clock: createClock() },
    isCurrent,
    openStores: async () => (await runs.review()).openStores(workspace),
  };
  const checks = await runProbes(
    [
      ...machineProbes({
        env,
        stateDir,
        packageRoot: parts.plugins.packageRoot,
        holdsRuns: async () => (await storageOfWorkspace(workspace, env)).backend === 'sqlite',
        harnesses: () => harnessesOf(session),
        sweepContainers: async () => (await session()).sweepContainers(),
      }),
      ...storeProbes(stored),
      runsProbe('logs', checkLogs, looked),
      runsProbe('bytes', checkBytes, looked),
      retentionProbe({ isCurrent, growth: () => app.info.growth(workspace) }),
      ...workspaceProbes(probeParts, planned),
      serverAuthProbe(session),
    ],
    createClock(),
  );
  return { workspace, checks: maskedChecks(checks, await maskOf(parts, workspace)) };
}

/**
 * Adapters that a run can start, and who asks for a container, adapter or tool server; none where
 * nobody can tell.
 */
async function harnessesOf(
  session: () => Promise<BootSession>,
): Promise<{ readonly used: readonly string[]; readonly contained: readonly string[] }> {
  const [{ usedAdapters }, { isContained, isSandboxed }] = await Promise.all([
    import('./doctor/workspace-probes.js'),
    import('../domain/container-runtime.js'),
  ]);
  const adapters = [...(await usedAdapters(session).catch(() => new Map<string, never>())).values()];
  const servers = await session().then(
    ({ workspace }) => [...workspace.servers.values()],
    () => [],
  );
  const contained = [
    ...adapters.flatMap(({ id, spec }) => (isContained(spec) ? [id] : [])),
    ...servers.flatMap((server) => (isSandboxed(server) ? [server.id] : [])),
  ];
  return { used: adapters.map(({ id }) => id), contained };
}

/**
 * Everything that is known to be a secret; of a workspace that cannot be read, what the environment
 * holds.
 */
async function maskOf({ env, runs }: DoctorParts, workspace: string): Promise<(text: string) => string> {
  try {
    return await (await runs.review()).maskOf(workspace);
  } catch {
    const [{ Masker }, { isSecretVariable }] = await Promise.all([
      import('../lib/masker.js'),
      import('../host/secrets-names.js'),
    ]);
    const masker = new Masker(
      Object.entries(env).flatMap(([name, value = '']) => (isSecretVariable(name, value) ? [value] : [])),
    );
    return (text) => masker.mask(text);
  }
}

/**
 * Where the runs of a workspace are kept. Throws KIT_WORKSPACE_NOT_FOUND, KIT_WORKSPACE_INVALID,
 * KIT_STORE_UNAVAILABLE.
 */
async function storageOfWorkspace(workspace: string, env: NodeJS.ProcessEnv): Promise<StoragePlace> {
  const [{ readStorage }, { nodeFiles }, { storageOf }] = await Promise.all([
    import('../app/storage/read-storage.js'),
    import('../system/files.js'),
    import('./runs-place.js'),
  ]);
  const { settings, resolve } = await readStorage(workspace, { files: nodeFiles, environment: env });
  return (await storageOf(settings, { env, resolve })).storage;
}
