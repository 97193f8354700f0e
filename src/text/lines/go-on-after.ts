import type { Job } from '../../domain/job.js';
import type { PastePlace } from '../../lib/shell-word.js';
import { failedSituation } from '../../view/situation/failed.js';
import { commandLine } from '../../view/situation/wire-situation.js';

/** What to type after a run that failed, and what has to come before it helps. */
export interface GoOn {
  /** null = nothing. */
  readonly fact: string | null;
  /** One command line, ready to paste. */
  readonly line: string;
}

/** Commands of runs that act in somebody's name. */
const TAKES_AS: readonly (string | undefined)[] = ['run', 'retry'];

/**
 * How a run that has failed just now goes on: what `kit why` says of it, in the name of whoever
 * submitted it where that is not `self`. Null for a run that did not fail, and for a replay.
 */
export function goOnAfter(
  job: Job,
  { workspaceArgument, self }: { readonly workspaceArgument: PastePlace; readonly self: string },
): GoOn | null {
  if (job.status !== 'failed' || job.needs.cassette !== undefined) return null;
  const situation = failedSituation(job, null, []);
  const { identity } = job.submittedBy;
  const isTheirs = identity !== self && TAKES_AS.includes(situation.command[1]);
  const command = [...situation.command, ...(isTheirs ? ['--as', identity] : [])];
  return { fact: situation.fact, line: commandLine({ ...situation, command }, workspaceArgument) };
}
