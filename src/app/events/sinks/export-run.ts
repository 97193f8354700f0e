import { messageOf } from '../../../domain/errors.js';
import type { Job } from '../../../domain/job.js';
import type { EventSink, SinkOutcome } from '../../../domain/ports/sinks.js';
import type { Stores } from '../../../domain/ports/stores.js';
import type { Clock, Log } from '../../../domain/ports/system.js';
import { toLogEntry } from '../../../view/schemas/event.js';
import { sinkRun } from './sink-run.js';
import { TELEMETRY_LEAD } from './telemetry.js';

/** Longest that a run waits for its export at its end; the run itself is over by then. */
const LONGEST_MS = 2000;
/** The lead of another `kit run` is held for a moment, that of a server for good. */
const ASKS = 3;
const PAUSE_MS = 50;
const TTL_MS = 1000;

export interface ExportDeps {
  readonly stores: Pick<Stores, 'events' | 'jobs' | 'serving'>;
  readonly clock: Clock;
  readonly log: Log;
  /** Tells this process from every other one. */
  readonly holder: string;
  readonly workspaceId: string;
  readonly sink: EventSink;
}

/**
 * Tells of one run that this process executed, when it has parked or ended; a server that exports
 * the runs of the workspace does so itself. Never rejects, and never takes longer than 2 s: what
 * goes wrong is one line of the log.
 */
export async function exportRun(deps: ExportDeps, job: Pick<Job, 'id'>): Promise<void> {
  const over = new AbortController();
  const late = deps.clock.sleep(LONGEST_MS, over.signal).then(
    (): SinkOutcome => ({ kind: 'failed', detail: `it took longer than ${LONGEST_MS / 1000} s` }),
    (): SinkOutcome => ({ kind: 'delivered' }),
  );
  const call = sendRun(deps, job, over.signal).catch(
    (error: unknown): SinkOutcome => ({
      kind: 'failed',
      detail: messageOf(error),
    }),
  );
  const outcome = await Promise.race([call, late]);
  over.abort();
  if (outcome.kind !== 'delivered') deps.log.warn(`run ${job.id} was not exported: ${outcome.detail}`);
}

const DONE: SinkOutcome = { kind: 'delivered' };

async function sendRun(deps: ExportDeps, { id }: Pick<Job, 'id'>, signal: AbortSignal): Promise<SinkOutcome> {
  const { stores, sink } = deps;
  if (!(await isFree(deps, signal))) return DONE;
  const { events } = await stores.events.read({ jobId: id, types: ['run.parked', 'run.ended'], limit: 1000 });
  const last = events.at(-1);
  if (last === undefined) return DONE;
  const outcome = await sink.deliver(toLogEntry(last), signal, sinkRun(stores, last));
  return outcome.kind === 'delivered' ? ((await sink.measure?.([], signal)) ?? DONE) : outcome;
}

/** No server exports the runs of this workspace. */
async function isFree({ stores, clock, holder, workspaceId }: ExportDeps, signal: AbortSignal): Promise<boolean> {
  const name = `${TELEMETRY_LEAD}:${workspaceId}`;
  for (let asked = 0; asked < ASKS; asked += 1) {
    if (asked > 0) await clock.sleep(PAUSE_MS, signal);
    if (await stores.serving.lead(name, holder, TTL_MS)) {
      await stores.serving.yieldLead(name, holder);
      return true;
    }
  }
  return false;
}
