import type { JobNeeds } from '../../domain/job-needs.js';
import type { Stores } from '../../domain/ports/stores.js';

/** Where runs wait. */
export type Queue = Pick<Stores, 'serving'>;

/**
 * What runs refer to, each once. Their needs are looked at, not the runs: a process is asked for
 * what somebody needs now, and never for all that it has.
 */
export const referencesIn = (needs: readonly JobNeeds[]): readonly string[] => [
  ...new Set(needs.flatMap(({ references }) => Object.keys(references ?? {}))),
];

/** What has to be looked for on this machine: few runs wait with a worktree. */
export interface Looked {
  readonly references: readonly string[];
  readonly hasWorktrees: boolean;
  /** What each run needs of plugins. */
  readonly plugins: readonly JobNeeds['plugins'][];
}

export const lookedIn = (needs: readonly JobNeeds[]): Looked => ({
  references: referencesIn(needs),
  hasWorktrees: needs.some(({ worktrees }) => worktrees !== undefined),
  plugins: needs.map(({ plugins }) => plugins),
});
