import type { ServeApp } from '@kit-run/kit/command';

/** What came of a stop request, for people. */
export function stopDetail({ job, alreadyRequested, outcome }: Awaited<ReturnType<ServeApp['stop']>>): string {
  if (outcome === 'finished') return `the run is ${job.status}: there is nothing to stop`;
  if (outcome === 'stopped') return `the run is stopped; POST /jobs/${job.id}/resume goes on with it`;
  return alreadyRequested
    ? 'a stop was requested before; that request stands'
    : 'the run stops once its steps in flight have ended, calls of models at once';
}
