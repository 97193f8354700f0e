import type { RunSession } from '../app/runs/run-session.js';
import { tempDirOf, worktreePlaces, worktreesDirOf } from './state-dir.js';

/** What a session says and does of the worktrees of its store; nothing of it is loaded before. */
export const sessionWorktrees = (
  stateDir: string,
  env: NodeJS.ProcessEnv,
): Pick<RunSession, 'sweepWorktrees' | 'worktreesHere' | 'discardWorktrees'> => ({
  sweepWorktrees: async (isWanted) => {
    const [{ sweepWorktrees }, { sweepGates }, { readWorkerHost }] = await Promise.all([
      import('../system/worktrees/sweep.js'),
      import('../system/worktrees/sweep-gates.js'),
      import('../system/worker-host.js'),
    ]);
    await sweepGates(tempDirOf(env));
    return sweepWorktrees({ here: readWorkerHost(), store: stateDir, ...worktreePlaces(stateDir, env), isWanted });
  },
  worktreesHere: async () => {
    const { readHomeId } = await import('../system/worktrees/place.js');
    const id = await readHomeId(worktreesDirOf(stateDir, env));
    return id === null ? [] : [id];
  },
  discardWorktrees: async (jobId) => {
    const { discardWorktrees } = await import('../system/worktrees/sweep.js');
    return discardWorktrees({ ...worktreePlaces(stateDir, env), store: stateDir, jobId });
  },
});
