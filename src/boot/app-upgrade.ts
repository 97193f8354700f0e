import { existsSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createUpgradeApp, type KeptRuns } from '../app/upgrade/create-upgrade-app.js';
import type { Manifest } from '../app/upgrade/install-kind.js';
import type { UpgradeApp } from '../app/upgrade/upgrade-app.js';
import { isTerminal, JOB_STATUSES } from '../domain/job.js';
import { runProgram } from '../system/run-program.js';
import type { PluginFit } from '../view/upgrade-report.js';
import type { AppParts, Runs } from './parts.js';
import { userConfigDir } from './settings.js';
import { visitedWorkspaces } from './trust-file.js';

/** An installer that takes longer is stuck. */
const INSTALL_MS = 15 * 60_000;

const isContainer = (): boolean => existsSync('/.dockerenv') || existsSync('/run/.containerenv');

function manifest(folder: string): Manifest {
  try {
    const value = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      readonly dependencies?: object;
      readonly optionalDependencies?: object;
      readonly devDependencies?: object;
    };
    return {
      dependencies: Object.keys({ ...value.dependencies, ...value.optionalDependencies }),
      devDependencies: Object.keys(value.devDependencies ?? {}),
    };
  } catch {
    return { dependencies: [], devDependencies: [] };
  }
}

/** The range of the plugin API that each plugin of this user names. */
async function userPlugins({ plugins }: AppParts): Promise<readonly Omit<PluginFit, 'fits'>[]> {
  const { readUserPlugins } = await import('../host/user-plugins.js');
  const listed = await readUserPlugins(plugins.dataDir);
  return Promise.all(
    listed.map(async ({ name, root }) => {
      const text = await readFile(join(root, 'package.json'), 'utf8').catch(() => '{}');
      const { version, kit } = JSON.parse(text) as {
        readonly version?: unknown;
        readonly kit?: { readonly api?: unknown };
      };
      return { name, version: String(version ?? ''), range: typeof kit?.api === 'string' ? kit.api : null };
    }),
  );
}

/** Runs that are not over: a later kit has to go on with them. */
const GOING = JOB_STATUSES.filter((status) => !isTerminal(status));

/**
 * What lies in the stores of workspaces that this user ran; one that cannot be opened is left out.
 */
async function keptRuns({ env }: AppParts, runs: Runs): ReturnType<Parameters<typeof createUpgradeApp>[0]['kept']> {
  const [{ openStores }, { SCHEMA_VERSION }, workspaces] = await Promise.all([
    runs.observe(),
    import('../store/migrations.js'),
    visitedWorkspaces(join(userConfigDir(env), 'visited-workspaces.json')),
  ]);
  const looked = workspaces.filter(existsSync).map(async (workspace) => {
    try {
      const stores = await openStores(workspace);
      if (stores === null) return [];
      const jobs = await stores.jobs.list({ status: GOING, limit: 10_000 });
      const kept: KeptRuns = { engines: jobs.map(({ engine }) => engine), store: SCHEMA_VERSION };
      return [{ workspace, runs: kept }];
    } catch {
      return [];
    }
  });
  return (await Promise.all(looked)).flat();
}

/** Wires the upgrade of the kit that runs. */
export function openUpgrade(parts: AppParts, runs: Runs): UpgradeApp {
  const { plugins, settings, env } = parts;
  return createUpgradeApp({
    place: {
      root: plugins.packageRoot,
      started: process.argv[1] ?? '',
      cwd: settings.cwd,
      has: existsSync,
      manifest,
      isContainer: isContainer(),
    },
    installed: () => readFile(join(plugins.packageRoot, 'package.json'), 'utf8'),
    run: (argv, cwd) => runProgram(argv, { cwd, env, timeoutMs: INSTALL_MS }),
    node: process.execPath,
    cwd: settings.cwd,
    plugins: () => userPlugins(parts),
    kept: () => keptRuns(parts, runs),
  });
}
