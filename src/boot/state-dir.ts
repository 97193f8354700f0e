import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** State of a workspace: `<workspace>/.kit`, or KIT_STATE_DIR. */
export const stateDirOf = (workspace: string, env: NodeJS.ProcessEnv): string =>
  env.KIT_STATE_DIR || join(workspace, '.kit');

/** Folder for temporary files: TMPDIR, or the machine's. */
export const tempDirOf = (env: NodeJS.ProcessEnv): string => env.TMPDIR || tmpdir();
