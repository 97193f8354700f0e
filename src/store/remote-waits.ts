import type { GatedWait, HeldWait, RemoteWait, RemoteWaitStore } from '../domain/ports/remote-waits.js';
import type { Ids } from '../domain/ports/system.js';
import { all, type Program, type Programs, run } from './program.js';
import { LIVE } from './sql/jobs.js';
import { wakeRun } from './wake-caller.js';

/** Keys of steps lie below those of gates in the same table, under a kind of their own. */
const MINE = "job_id = @jobId AND key = @key AND kind = 'remote'";

/** What the statements are in words of the dialect. */
export interface RemoteWords {
  /** The time of the store. */
  readonly now: string;
  /**
   * JOIN, where few timers are looked at first and their runs after that: SQLite takes it the other
   * way round where it knows how many runs there are, and not how many timers.
   */
  readonly join: string;
  /** Whether the step `s` belongs to the run `j`, as its index has it. */
  readonly isOfRun: string;
  /** The state in the note of the step `s`. */
  readonly state: string;
}

export const dueRemote = ({ now, join, isOfRun }: Omit<RemoteWords, 'state'>): string => `
SELECT t.job_id, t.key, t.due_at, j.status, j.worker_id, j.needs, s.notes, s.outcome, s.outcome_sha256
FROM timers AS t ${join} jobs AS j ON j.id = t.job_id LEFT JOIN steps AS s ON ${isOfRun} AND s.key = t.key
WHERE t.kind = 'remote' AND t.due_at <= ${now} ORDER BY t.due_at LIMIT @limit`;

/** Those whose note says that people are asked. */
export const gatedRemote = ({ state, join, isOfRun }: Omit<RemoteWords, 'now'>): string => `
SELECT t.job_id, j.topology, s.notes
FROM timers AS t ${join} jobs AS j ON j.id = t.job_id ${join} steps AS s ON ${isOfRun} AND s.key = t.key
WHERE t.kind = 'remote' AND j.status IN (${LIVE})
AND s.outcome IS NULL AND s.outcome_sha256 IS NULL AND ${state} = 'input-required'
ORDER BY j.ord, t.key LIMIT @limit`;

const HOLD = `UPDATE timers SET due_at = @until WHERE ${MINE} AND due_at = @heldUntil`;
const DROP = `DELETE FROM timers WHERE ${MINE} AND due_at = @heldUntil`;

/** Row of `dueRemote`. */
interface RemoteWaitRecord {
  readonly job_id: string;
  readonly key: string;
  readonly due_at: string;
  readonly status: string;
  readonly worker_id: string | null;
  readonly needs: string;
  readonly notes: string | null;
  readonly outcome: string | null;
  readonly outcome_sha256: string | null;
}

/** The casts restore what the store itself has written. */
function decodeRemoteWait(record: RemoteWaitRecord): RemoteWait {
  const hasEnded = record.outcome !== null || record.outcome_sha256 !== null;
  return {
    jobId: record.job_id,
    key: record.key,
    heldUntil: record.due_at,
    status: record.status as RemoteWait['status'],
    isExecuted: record.worker_id !== null,
    needs: JSON.parse(record.needs) as RemoteWait['needs'],
    notes: hasEnded || record.notes === null ? null : (JSON.parse(record.notes) as RemoteWait['notes']),
  };
}

/** See `RemoteWaitStore.due`. */
function* readDue(sql: string, params: Readonly<Record<string, string | number>>): Program<readonly RemoteWait[]> {
  return (yield* all<RemoteWaitRecord>(sql, params)).map(decodeRemoteWait);
}

interface GatedRecord {
  readonly job_id: string;
  readonly topology: string;
  readonly notes: string;
}

/** See `RemoteWaitStore.gated`. */
function* readGated(sql: string, limit: number): Program<readonly GatedWait[]> {
  return (yield* all<GatedRecord>(sql, { limit })).map(({ job_id: jobId, topology, notes }) => ({
    jobId,
    topology,
    notes: JSON.parse(notes) as GatedWait['notes'],
  }));
}

/** See `RemoteWaitStore.hold`. */
function* holdWaits(waits: readonly HeldWait[], until: string): Program<readonly HeldWait[]> {
  const held: HeldWait[] = [];
  for (const { jobId, key, heldUntil } of waits)
    if ((yield* run(HOLD, { jobId, key, heldUntil, until })) > 0) held.push({ jobId, key, heldUntil: until });
  return held;
}

/** True: the row was held by this holder, and is gone. */
function* dropWait({ jobId, key, heldUntil }: HeldWait): Program<boolean> {
  return (yield* run(DROP, { jobId, key, heldUntil })) > 0;
}

/** What the dialects write differently. */
export interface RemoteStatements {
  readonly DUE: string;
  readonly GATED: string;
  /** What the time is, where it is not the store that tells it. */
  readonly time: () => { readonly now?: string };
}

/** Waits for agents that run elsewhere. */
export const createRemoteWaits = (
  { read, write }: Programs,
  { DUE, GATED, time }: RemoteStatements,
  ids: Ids,
): RemoteWaitStore => ({
  due: (limit) => read(() => readDue(DUE, { ...time(), limit })),
  gated: (limit) => read(() => readGated(GATED, limit)),
  hold: (waits, leaseMs) => write('remote.hold', (at) => holdWaits(waits, at(leaseMs))),
  settle: (wait, { wakes }) =>
    write('remote.settle', (at) => settle(wait, wakes ? { ids, now: at() } : null), [wait.jobId]),
});

/** `wakes`: the run that waits is to look. */
function* settle(wait: HeldWait, wakes: { readonly ids: Ids; readonly now: string } | null): Program<boolean> {
  if (!(yield* dropWait(wait))) return false;
  if (wakes !== null) yield* wakeRun(wait.jobId, { by: `step ${wait.key}`, eventId: wakes.ids.uuid(), now: wakes.now });
  return true;
}
