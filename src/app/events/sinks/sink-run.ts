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
      return row === null ? null : runTrace(row, await eventsUpTo(events, event));
    },
  };
}

async function eventsUpTo(events: RunSource['events'], { jobId, seq }: Pick<StoredEvent, 'jobId' | 'seq'>): Promise<readonly StoredEvent[]> {
  const read: StoredEvent[] = [];
  for (;;) {
    const page = await events.readRun(jobId, read.at(-1)?.seq ?? 0, PAGE);
    read.push(...page.filter((one) => one.seq <= seq));
    if (page.length < PAGE || (read.at(-1)?.seq ?? seq) >= seq) return read;
  }
}
