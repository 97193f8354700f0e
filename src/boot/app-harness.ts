import type { AdaptersApp } from '../app/adapters/adapters-app.js';
import type { ChangesApp } from '../app/changes/changes-app.js';
import type { TrustApp } from '../app/trust/trust-app.js';
import type { AppParts, Runs } from './parts.js';
import { tempDirOf } from './state-dir.js';

/** What harnesses may start. */
export async function openAdapters(
  { env }: Pick<AppParts, 'env'>,
  runs: Pick<Runs, 'session' | 'observe'>,
): Promise<AdaptersApp> {
  const [{ createAdaptersApp }, { createAskVersion }, { childEnvironment }, { whichProgram }, { clock }] =
    await Promise.all([
      import('../app/adapters/create-adapters-app.js'),
      import('../system/program-version.js'),
      import('../system/child-env.js'),
      import('../system/which-program.js'),
      runs.observe(),
    ]);
  return createAdaptersApp({
    session: runs.session,
    whereIs: (program) => whichProgram(program, env.PATH),
    askVersion: createAskVersion({ clock, env: childEnvironment(env) }),
    runtimeIn: async (cwd) => (await import('./runtime-search.js')).runtimeSearch({ env, cwd }),
  });
}

/** How often people approved their calls. */
export async function openTrust(runs: Pick<Runs, 'session' | 'observe' | 'review'>): Promise<TrustApp> {
  const [{ createTrustApp }, { createFileEdits }, { clock, ids, openStores }] = await Promise.all([
    import('../app/trust/create-trust-app.js'),
    import('../system/file-edits.js'),
    runs.review(),
  ]);
  return createTrustApp({ session: runs.session, openStores, clock, ids, edits: createFileEdits() });
}

/** What they changed. */
export async function openChanges({ env }: Pick<AppParts, 'env'>, runs: Pick<Runs, 'observe'>): Promise<ChangesApp> {
  const [{ createChangesApp }, readDeps] = await Promise.all([
    import('../app/changes/create-changes-app.js'),
    runs.observe(),
  ]);
  return createChangesApp({
    ...readDeps,
    repository: async () => {
      const [{ createRepositoryChanges }, { childEnvironment }] = await Promise.all([
        import('../system/changes/repository-changes.js'),
        import('../system/child-env.js'),
      ]);
      return createRepositoryChanges({ env: childEnvironment(env), tempRoot: tempDirOf(env) });
    },
  });
}
