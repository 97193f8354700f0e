import type { RemoteTasks } from '../../domain/ports/remote-agents.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Workspace } from '../../domain/workspace.js';
import type { RunJobDeps } from '../../worker/run-job-deps.js';
import type { TrustStore } from '../submit/adapter-trust.js';
import type { PrepareDeps } from '../submit/freeze.js';
import type { SweepWorktrees } from '../sweep-worktrees.js';
import type { SessionLife } from './session-life.js';

/**
 * An opened workspace with the real parts behind it. It never changes: what reads the files again
 * opens another one.
 */
export interface RunSession extends SessionLife {
  readonly workspace: Workspace;
  readonly prepare: Omit<PrepareDeps, 'onInputRejected' | 'workspace'>;
  readonly trust: TrustStore;
  readonly openStores: () => Promise<Stores>;
  readonly openFacilities: RunJobDeps['open'];
  /** Tasks of agents that run elsewhere, for who watches them without a run. */
  readonly remoteTasks: RemoteTasks;
  readonly sweepWorktrees: SweepWorktrees;
  /** Ids of the directories of worktrees that this process has; [] = none was ever made. */
  readonly worktreesHere: () => Promise<readonly string[]>;
  /** Removes worktrees of a run that this process has claimed; answers their paths. */
  readonly discardWorktrees: (jobId: string) => Promise<readonly string[]>;
  /**
   * Removes containers that dead processes of kit left on this machine, whose supervisors died with
   * them; answers how many. Looks for none where nothing of the workspace asks for one; never
   * rejects.
   */
  readonly sweepContainers: () => Promise<number>;
  readonly visits: Visits;
}

/** Which workspaces this user has run on this machine. */
export interface Visits {
  /** True once for each workspace. A visit that cannot be recorded counts as the first again. */
  isFirst(workspace: string): Promise<boolean>;
}
