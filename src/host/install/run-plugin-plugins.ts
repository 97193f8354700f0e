import { fileURLToPath } from 'node:url';
import { KitError } from '../../domain/errors.js';
import type { RunProgram } from '../../domain/ports/programs.js';

export interface ChildParts {
  readonly packageRoot: string;
  readonly env: NodeJS.ProcessEnv;
  readonly cwd: string;
  /** Where the npm of whoever calls lies; null = they have none. */
  readonly findNpm: () => Promise<string | null>;
  readonly run: RunProgram;
}

type PluginCommand = 'plugins:install' | 'plugins:link' | 'plugins:uninstall';

// Folded by the build: plugin-plugins itself is not installed beside kit.
const CHILD = fileURLToPath(new URL('plugin-plugins-entry.js', import.meta.url));
const TAIL_CHARS = 2000;

/**
 * What npm may read, minus every spelling of the settings that would let a package run code while
 * it is installed.
 */
export function childEnv(env: NodeJS.ProcessEnv, dataDir: string): NodeJS.ProcessEnv {
  const isOverridden = (name: string): boolean => /^npm_config_(ignore.scripts|allow.scripts)$/i.test(name);
  const kept = Object.entries(env).filter(([name]) => !isOverridden(name));
  return {
    ...Object.fromEntries(kept),
    KIT_DATA_DIR: dataDir,
    npm_config_ignore_scripts: 'true',
    npm_config_update_notifier: 'false',
  };
}

/** kit brings no npm along: packages are fetched and removed by the one that is there. */
async function assertNpm({ findNpm }: ChildParts, command: PluginCommand): Promise<void> {
  if (command === 'plugins:link' || (await findNpm()) !== null) return;
  throw new KitError(
    'KIT_PLUGIN_INSTALL_FAILED',
    `${command.replace('plugins:', '')} needs npm, which is not on PATH`,
    {
      hint: 'Install npm, which comes with Node.js, or add its folder to PATH; then run the command again.',
    },
  );
}

/**
 * Runs one command of plugin-plugins for the plugins below `dataDir`. Refused before anything is
 * changed when it takes npm and there is none.
 */
export async function runPluginPlugins(
  parts: ChildParts,
  dataDir: string,
  argv: readonly [PluginCommand, ...string[]],
): Promise<void> {
  await assertNpm(parts, argv[0]);
  // A registry may be slow, and whoever waits can stop it.
  const { code, stdout, stderr } = await parts.run([process.execPath, CHILD, parts.packageRoot, ...argv], {
    env: childEnv(parts.env, dataDir),
    cwd: parts.cwd,
    timeoutMs: null,
  });
  if (code === 0) return;
  const said = `${stdout}${stderr}`.slice(-TAIL_CHARS).trim();
  throw new KitError('KIT_PLUGIN_INSTALL_FAILED', `${argv.join(' ').replace('plugins:', '')} failed: ${said}`);
}
