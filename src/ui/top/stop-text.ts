import type { StopReport } from '../../app/stop-job.js';
import { shellWord } from '../../lib/shell-word.js';

/** What became of asking a run to stop, with the line that goes on. `workspace`: as named. */
export function stopText({ job, outcome, alreadyRequested }: StopReport, workspace: string): string {
  const resume = `kit run ${workspace === '' ? '' : `${shellWord(workspace)} `}${job.topology} --resume=${job.id}`;
  switch (outcome) {
    case 'finished':
      return `run ${job.id} is ${job.status}; there is nothing to stop`;
    case 'stopped':
      return `run ${job.id} is stopped; go on with: ${resume}`;
    case 'requested':
      return alreadyRequested
        ? `run ${job.id} was already asked to stop at ${job.stopRequestedAt ?? 'an earlier time'}`
        : `run ${job.id} stops once its steps in flight have ended, calls of models at once; go on with: ${resume}`;
  }
}
