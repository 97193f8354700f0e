import type { NewPluginDeps } from '../app/plugins/new-plugin.js';
import { KitError } from '../domain/errors.js';
import type { PluginHost, Secrets } from '../domain/extension-points.js';
import type { PluginInstaller } from '../domain/ports/plugins.js';
import { namesOf } from '../host/take-commands.js';
import { lazyVault, noVault } from './open-vault.js';
import type { AppParts, Plugins, WorkspaceSide } from './parts.js';
import { tempDirOf } from './state-dir.js';

/**
 * Credentials are a service of their own; without it a contribution sees the variables it declares
 * and no credential.
 */
const envSecrets =
  (env: NodeJS.ProcessEnv) =>
  (_info: unknown, declared: readonly string[]): Secrets => ({
    env: (name) => (declared.includes(name) ? env[name] || null : null),
    credential: (ref) =>
      Promise.reject(new KitError('KIT_CREDENTIAL_UNRESOLVED', `credential ${ref} has no source here`)),
  });

const processSide = (env: NodeJS.ProcessEnv): WorkspaceSide => ({
  secretsFor: envSecrets(env),
  vaultOf: (plugin) => lazyVault(noVault, plugin),
  outbound: () =>
    Promise.reject(new KitError('KIT_OUTBOUND_REFUSED', 'no workspace is open that says which addresses are called')),
});

async function createHost(
  { plugins, env, settings, logLines, openContainment }: AppParts,
  side: WorkspaceSide = processSide(env),
): Promise<PluginHost> {
  const [{ createPluginHost }, { createIntegrityLock }, { createClock }, { createLog }] = await Promise.all([
    import('../host/plugin-host.js'),
    import('../host/integrity-lock.js'),
    import('../system/clock.js'),
    import('../system/log.js'),
  ]);
  const clock = createClock();
  const hasForeign = plugins.candidates.some(({ origin }) => origin !== 'bundled');
  const containment = hasForeign ? await openContainment?.() : undefined;
  return createPluginHost(plugins.candidates, {
    clock,
    log: createLog({ clock, level: settings.verbose ? 'debug' : 'warn', write: logLines.write }),
    fetch: globalThis.fetch,
    ...side,
    verifyIntegrity: createIntegrityLock(plugins.dataDir).verify,
    ...(containment === undefined ? {} : { containment }),
    foreignNow: async () => (await import('./discovery/plugins.js')).foreignNow(plugins),
    importModule: (url) => import(url),
  });
}

async function openInstaller({ plugins, env, settings }: AppParts): Promise<PluginInstaller> {
  const [{ createInstaller }, { createIntegrityLock }, { whichProgram }, { runProgram }] = await Promise.all([
    import('../host/install/installer.js'),
    import('../host/integrity-lock.js'),
    import('../system/which-program.js'),
    import('../system/run-program.js'),
  ]);
  const bundled = [...plugins.map.values()].filter(({ type }) => type === 'core');
  return createInstaller({
    packageRoot: plugins.packageRoot,
    env,
    findNpm: () => whichProgram('npm', env.PATH),
    run: runProgram,
    cwd: settings.cwd,
    tempDir: tempDirOf(env),
    dataDir: plugins.dataDir,
    lock: createIntegrityLock(plugins.dataDir),
    reserved: {
      commands: new Set(bundled.flatMap(({ commands }) => namesOf(commands))),
      packages: new Set(bundled.map(({ name }) => name)),
      candidates: plugins.candidates,
    },
  });
}

async function newPluginDeps({ plugins, settings }: AppParts): Promise<NewPluginDeps> {
  const [{ nodeFiles }, { nodeNewFiles }] = await Promise.all([
    import('../system/files.js'),
    import('../system/new-files.js'),
  ]);
  return { files: nodeFiles, newFiles: nodeNewFiles, packageRoot: plugins.packageRoot, cwd: settings.cwd };
}

export function createPlugins(parts: AppParts): Plugins {
  let host: Promise<PluginHost> | undefined;
  /** Hosts of workspaces that nobody has let go yet. */
  const owned = new Set<PluginHost>();
  const openHost = (): Promise<PluginHost> => (host ??= createHost(parts));
  const installer = (): Promise<PluginInstaller> => openInstaller(parts);
  return {
    host: openHost,
    openHost: async (side) => {
      const own = await createHost(parts, side);
      owned.add(own);
      const dispose = async (): Promise<void> => {
        owned.delete(own);
        await own.dispose();
      };
      return { ...own, dispose };
    },
    close: async () => {
      for (const own of owned) await own.dispose();
      await (await host)?.dispose();
    },
    app: {
      report: async () => (await openHost()).report(),
      proposeInstall: async (spec) => (await installer()).proposeInstall(spec),
      proposeLink: async (directory) => (await installer()).proposeLink(directory),
      proposeUpdate: async (name) => (await installer()).proposeUpdate(name),
      updatable: async () => (await installer()).updatable(),
      accept: async (proposal) => (await installer()).accept(proposal),
      uninstall: async (name) => (await installer()).uninstall(name),
      planNew: async (request) =>
        (await import('../app/plugins/new-plugin.js')).planPlugin(request, await newPluginDeps(parts)),
      writeNew: async (plan) =>
        (await import('../app/plugins/new-plugin.js')).writePlugin(plan, await newPluginDeps(parts)),
      explain: async (point) =>
        (await import('../app/plugins/explain-point.js')).explainPoint(point, await newPluginDeps(parts)),
      check: async (request) => (await import('./plugin-check/check.js')).checkPluginWith(parts, request),
    },
  };
}
