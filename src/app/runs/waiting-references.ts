import type { JobNeeds } from '../../domain/job-needs.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { RunSession } from './run-session.js';

/** Where runs wait. */
export type Queue = Pick<Stores, 'serving'>;

/**
 * What the runs that wait for a claim refer to, and whose worktrees are here: a look into the store
 * beside one into a directory, while a run waits for both. Needs are looked at, not runs: a process
 * is asked for what somebody needs now, and never for all that it has.
 */
export const askedAndHere = ({ serving }: Queue, session: Pick<RunSession, 'worktreesHere'>) =>
  Promise.all([serving.waitingNeeds().then(referencesIn), session.worktreesHere()]);

/** Each once. */
export const referencesIn = (needs: readonly JobNeeds[]): readonly string[] => [
  ...new Set(needs.flatMap(({ references }) => Object.keys(references ?? {}))),
];

/** What has to be looked for on this machine: few runs wait with a worktree. */
export interface Looked {
  readonly references: readonly string[];
  readonly hasWorktrees: boolean;
}

export const lookedIn = (needs: readonly JobNeeds[]): Looked => ({
  references: referencesIn(needs),
  hasWorktrees: needs.some(({ worktrees }) => worktrees !== undefined),
});
