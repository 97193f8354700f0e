import type { RunWrite } from '../domain/journal.js';
import { type EndWords, endAbandoned } from './end-abandoned.js';
import { ownerOf } from './event-row.js';
import { restingStatuses } from './family.js';
import type { FencedRow } from './fenced-row.js';
import { type Appended, all, append, get, type Program, run, setJobs } from './program.js';
import { stoppedOnRequest } from './recovery.js';
import { refuseEnd } from './run-ended.js';
import { withoutPark } from './run-writes.js';
import { PARK_JOB, SET_NEEDS, WAIT_JOB } from './sql/jobs.js';
import { WAIT_REMOTE } from './sql/remote.js';
import { wakeCaller } from './wake-caller.js';

type Park = Extract<RunWrite, { op: 'run.parked' }>;

/** What the dialects write differently of a run that parks. */
export interface ParkWords extends EndWords {
  /** The runs `@jobIds`: none of them comes to rest unseen before this one has parked. */
  readonly SHARE_JOBS: string;
  /** Whether one of `@waitingOn` is a gate or an item that is settled. */
  readonly IS_SETTLED: string;
}

interface Parking {
  readonly jobId: string;
  readonly row: FencedRow;
  readonly write: Park;
  /** The store's clock, plus milliseconds. */
  readonly at: (plusMs?: number) => string;
  readonly uuid: () => string;
}

/**
 * Parks unless something that the run waits for is settled already: the decision came before, and
 * wakes nobody any more (docs/design/journal.md#waking). A stop that was requested while the run
 * was still busy is honoured here: once it is parked nobody would see it.
 */
export function* parkRun(words: ParkWords, { jobId, row, write, at, uuid }: Parking): Program<readonly Appended[]> {
  const { events, needs, wakeAfterMs, autoResume, error } = write;
  const owner = ownerOf({ ...row, id: jobId });
  const now = at();
  refuseEnd(events);
  if (row.stop_requested_at !== null) {
    const appended = yield* append(owner, withoutPark(events));
    const end = stoppedOnRequest(row.stop_requested_by);
    const job = { ...row, id: jobId, status: 'running' as const };
    return [...appended, ...(yield* endAbandoned(words, job, { end, eventId: uuid(), now }))];
  }
  if ((autoResume || wakeAfterMs !== undefined) && (yield* isOver(words, write))) return [];
  for (const key of write.remote ?? []) yield* run(WAIT_REMOTE, { jobId, key, now });
  if (needs !== undefined) yield* run(SET_NEEDS, { jobId, needs: JSON.stringify(needs) });
  const waitingOn = JSON.stringify(write.waitingOn);
  if (wakeAfterMs !== undefined) yield* setJobs(WAIT_JOB, { jobId, waitingOn, wakeAt: at(wakeAfterMs) });
  else {
    yield* setJobs(PARK_JOB, { jobId, waitingOn, error, autoResume: autoResume ? 1 : 0, now });
    yield* wakeCaller({ ...row, id: jobId }, { hasEnded: false, eventId: uuid(), now });
  }
  return yield* append(owner, events);
}

function* isOver({ SHARE_JOBS, IS_SETTLED }: ParkWords, write: Park): Program<boolean> {
  const { waitingOn } = write;
  const resting: readonly string[] = restingStatuses(write);
  const runs = yield* all<{ status: string }>(SHARE_JOBS, { jobIds: waitingOn });
  if (runs.some(({ status }) => resting.includes(status))) return true;
  const found = yield* get<{ settled: number | boolean }>(IS_SETTLED, { waitingOn });
  return Boolean(found?.settled);
}
