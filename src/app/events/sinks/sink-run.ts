import type { StoredEvent } from '../../../domain/events.js';
import type { SinkRun } from '../../../domain/ports/sinks.js';
import type { Stores } from '../../../domain/ports/stores.js';
import { runTrace, runTraceParent } from '../../../view/telemetry/run-trace.js';

/** Where the run of an event is read. */
export interface RunSource {
  readonly jobs: Pick<Stores['jobs'], 'get'>;
  readonly events: Pick<Stores['events'], 'readRun'>;
}

const PAGE = 1000;

/** What a sink may ask about the run of one event, read anew from row and log: nothing is kept between two events. */
export function sinkRun({ jobs, events }: RunSource, event: Pick<StoredEvent, 'jobId' | 'seq'>): SinkRun {
  const job = async () => (event.jobId === '' ? null : jobs.get(event.jobId));
  return {
    traceParent: async () => {
      const row = await job();
      return row === null ? null : runTraceParent(row);
    },
    trace: async () => {
      const row = await job();
      if (row === null) return null;
      const read = await runEvents(events, event);
      const isCurrent = row.status !== 'running' && !read.later.some(({ type }) => type === 'run.parked' || type === 'run.ended');
      return runTrace({ ...row, isCurrent }, read.until);
    },
  };
}

/** Events of the run up to one of them, and what came after it. */
async function runEvents(events: RunSource['events'], { jobId, seq }: Pick<StoredEvent, 'jobId' | 'seq'>) {
  const read: StoredEvent[] = [];
  for (;;) {
    const page = await events.readRun(jobId, read.at(-1)?.seq ?? 0, PAGE);
    read.push(...page);
    if (page.length < PAGE) return { until: read.filter((one) => one.seq <= seq), later: read.filter((one) => one.seq > seq) };
  }
}
