import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { KitError } from '../../domain/errors.js';

export interface ChildParts {
  readonly packageRoot: string;
  readonly env: NodeJS.ProcessEnv;
}

const CHILD = fileURLToPath(new URL('plugin-plugins-child.js', import.meta.url));
const TAIL_CHARS = 2000;

/** What npm may read, minus every spelling of the settings that would let a package run code while it is installed. */
export function childEnv(env: NodeJS.ProcessEnv, dataDir: string): NodeJS.ProcessEnv {
  const isOverridden = (name: string): boolean => /^npm_config_(ignore.scripts|allow.scripts)$/i.test(name);
  const kept = Object.entries(env).filter(([name]) => !isOverridden(name));
  return { ...Object.fromEntries(kept), KIT_DATA_DIR: dataDir, npm_config_ignore_scripts: 'true', npm_config_update_notifier: 'false' };
}

/** Runs `plugins:install`, `plugins:link` or `plugins:uninstall` for the plugins below `dataDir`. */
export async function runPluginPlugins(parts: ChildParts, dataDir: string, argv: readonly [string, ...string[]]): Promise<void> {
  const child = spawn(process.execPath, [CHILD, parts.packageRoot, ...argv], {
    env: childEnv(parts.env, dataDir),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  const keep = (chunk: Buffer): void => {
    said = (said + chunk.toString('utf8')).slice(-TAIL_CHARS);
  };
  child.stdout.on('data', keep);
  child.stderr.on('data', keep);
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve));
  if (code !== 0) throw new KitError('KIT_PLUGIN_INSTALL_FAILED', `${argv.join(' ').replace('plugins:', '')} failed: ${said.trim()}`);
}
