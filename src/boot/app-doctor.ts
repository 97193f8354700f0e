import type { App } from '../app/app.js';
import type { DoctorApp } from '../app/doctor/doctor-app.js';
import type { StoragePlace } from '../app/storage/resolve-storage.js';
import type { AppParts } from './app.js';
import type { Plugins } from './app-plugins.js';
import type { Runs } from './app-runs.js';
import { stateDirOf } from './state-dir.js';

/** Parts that these use cases share with others; other use cases are asked through the app. */
export interface DoctorParts extends AppParts {
  readonly managed: Plugins;
  readonly runs: Runs;
  readonly app: () => Pick<App, 'info' | 'providers'>;
}

/** Wires who looks whether this machine can run a workspace. */
export async function openDoctor(parts: DoctorParts): Promise<DoctorApp> {
  return {
    check: () => Promise.reject(new Error('not yet')),
    crash: async (workspace, request) => {
      const [{ enumerateCrashes }, { openCrashPlace }, { createClock }] = await Promise.all([
        import('../app/doctor/crash/enumerate-crashes.js'),
        import('./doctor/crash-place.js'),
        import('../system/clock.js'),
      ]);
      const { env } = parts;
      const place = openCrashPlace({
        storage: await storageOfWorkspace(workspace, env),
        stateDir: stateDirOf(workspace, env),
        env,
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

/** Where the runs of a workspace are kept. Throws KIT_WORKSPACE_NOT_FOUND, KIT_WORKSPACE_INVALID, KIT_STORE_UNAVAILABLE. */
async function storageOfWorkspace(workspace: string, env: NodeJS.ProcessEnv): Promise<StoragePlace> {
  const [{ readStorage }, { nodeFiles }, { storageOf }] = await Promise.all([
    import('../app/storage/read-storage.js'),
    import('../system/files.js'),
    import('./open-session.js'),
  ]);
  const { settings, resolve } = await readStorage(workspace, { files: nodeFiles, environment: env });
  return storageOf(settings, { env, resolve });
}
