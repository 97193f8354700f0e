import type { RunEvent } from '../domain/events.js';
import type { Job } from '../domain/job.js';
import type { RunWrite, StepRow } from '../domain/journal.js';
import type { RunFigures } from '../domain/run-figures.js';

/** Counts what a run does from its events, one by one. */
export interface FiguresFold {
  readonly add: (event: RunEvent) => void;
  readonly figures: () => RunFigures;
}

/**
 * What this claim writes, with the figures of the run beside its end: whoever lists it never reads
 * its log. Only a first claim sees every event of a run; the end of a later one names no figures,
 * and whoever looks first counts them.
 */
export function withFigures(
  open: (() => FiguresFold) | undefined,
  { job, rows }: { readonly job: Job; readonly rows: readonly StepRow[] },
): (writes: readonly RunWrite[]) => readonly RunWrite[] {
  if (open === undefined || job.attempt > 1 || rows.length > 0) return (writes) => writes;
  const fold = open();
  return (writes) =>
    writes.map((write) => {
      for (const event of write.events) fold.add(event);
      return write.op === 'run.ended' ? { ...write, figures: fold.figures() } : write;
    });
}
