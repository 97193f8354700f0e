import { createHash } from 'node:crypto';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';

/** State of a workspace: `<workspace>/.kit`, or KIT_STATE_DIR. */
export const stateDirOf = (workspace: string, env: NodeJS.ProcessEnv): string =>
  env.KIT_STATE_DIR || join(workspace, '.kit');

/** Folder for temporary files: TMPDIR, or the machine's. */
export const tempDirOf = (env: NodeJS.ProcessEnv): string => env.TMPDIR || tmpdir();

/** Where worktrees are made, and where those of earlier versions lie. */
export const worktreePlaces = (stateDir: string, env: NodeJS.ProcessEnv) => ({
  directory: worktreesDirOf(stateDir, env),
  tempRoot: tempDirOf(env),
});

/**
 * Folder of the worktrees of a store: KIT_WORKTREES_DIR, else one below the user's state directory
 * (XDG_STATE_HOME, `~/.local/state`), named after the store. It outlives a restart of the machine,
 * as parked sessions do, and lies where no program's sandbox counts it as temporary.
 */
export function worktreesDirOf(stateDir: string, env: NodeJS.ProcessEnv): string {
  if (env.KIT_WORKTREES_DIR) return env.KIT_WORKTREES_DIR;
  const state = env.XDG_STATE_HOME || join(env.HOME || homedir(), '.local', 'state');
  return join(state, 'kit', 'worktrees', createHash('sha256').update(stateDir).digest('hex').slice(0, 12));
}
