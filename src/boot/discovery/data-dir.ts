import { homedir } from 'node:os';
import { join, resolve } from 'node:path';

/**
 * Directory of this user's plugins; the same that oclif computes (a test compares), needed before
 * oclif has loaded.
 */
export function dataDirOf(env: NodeJS.ProcessEnv): string {
  if (env.KIT_DATA_DIR) return resolve(env.KIT_DATA_DIR);
  const windows = process.platform === 'win32' ? env.LOCALAPPDATA : undefined;
  return join(env.XDG_DATA_HOME || windows || join(env.HOME || homedir(), '.local', 'share'), 'kit');
}
