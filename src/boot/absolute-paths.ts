import { isAbsolute, resolve } from 'node:path';

/** Variables that name a place by its path. KIT_SIGNING_KEY may be the key itself. */
const PLACES = [
  'KIT_STATE_DIR',
  'KIT_WORKTREES_DIR',
  'KIT_DATA_DIR',
  'KIT_SIGNING_KEY',
  'XDG_CONFIG_HOME',
  'XDG_DATA_HOME',
  'XDG_STATE_HOME',
] as const;

/**
 * The environment with relative paths taken from `cwd`, so that nobody below asks which directory
 * is the current one. The same object where nothing is relative.
 */
export function withAbsolutePaths(env: NodeJS.ProcessEnv, cwd: string): NodeJS.ProcessEnv {
  const relative = PLACES.flatMap((name) => {
    const value = env[name];
    const isPath = value !== undefined && value !== '' && !isAbsolute(value) && !value.includes('-----BEGIN');
    return isPath ? [[name, resolve(cwd, value)] as const] : [];
  });
  return relative.length === 0 ? env : { ...env, ...Object.fromEntries(relative) };
}
