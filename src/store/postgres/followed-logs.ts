import { keepNewest } from '../../lib/keep-newest.js';
import type { ChainEnd } from '../event-row.js';
import type { JobRow } from '../job-row.js';
import { RunUsage } from '../run-usage.js';
import type { LockedJob } from './locked-jobs.js';

/** The end of the log of a run, and what all of it used; null: not all of it was seen here. */
export interface FollowedLog extends ChainEnd {
  readonly used: RunUsage | null;
}

/** Of a run of which the log holds nothing yet. */
export const newLog = (): FollowedLog => ({ seq: 0, hash: '', used: new RunUsage() });

/** A run as this process has left it: a guess, until its row is locked. */
export interface KnownRun {
  readonly row: LockedJob;
  readonly log: FollowedLog;
  /** The server has lost what this process has committed under this very claim. */
  readonly isRolledBack?: boolean;
}

/** Ends of logs that were committed here, with the claim's attempt. They outlive a connection. */
export type CommittedEnds = Map<string, ChainEnd & { readonly attempt: number }>;

/** A claimed row, with where its log ended; absent where an answer was lost and read again. */
export interface ClaimedRow extends JobRow {
  readonly log_seq?: number | null;
  readonly log_hash?: string | null;
  readonly has_called?: boolean | null;
}

/** More runs than this at once are counted from their logs again. */
const MAX_LOGS = 4096;

/**
 * Logs that this process has written from their beginning: what such a run used need not be read in
 * its log when it ends. A transaction takes what it goes on with, and gives back what it has
 * committed; what somebody else has written to meanwhile has another end, and is forgotten. Runs
 * that this process holds are kept with their rows.
 */
export class FollowedLogs {
  readonly #runs = new Map<string, { readonly log: FollowedLog; readonly row: LockedJob | null }>();
  readonly #committed: CommittedEnds;

  constructor(committed: CommittedEnds) {
    this.#committed = committed;
  }

  /**
   * Whether the log of a locked run ends before what was committed here: after a failover to a
   * replica that had not been sent all, or a restored server.
   */
  isRolledBack({ id, attempt }: LockedJob, { seq, hash }: ChainEnd): boolean {
    const known = this.#committed.get(id);
    if (known?.attempt !== attempt) return false;
    return seq < known.seq || (seq === known.seq && hash !== known.hash);
  }

  /** What is known of a log that ends there. */
  take(jobId: string, end: ChainEnd): RunUsage | null {
    const log = this.#runs.get(jobId)?.log;
    this.#runs.delete(jobId);
    return log?.seq === end.seq && log.hash === end.hash ? log.used : null;
  }

  /** All of these; null, and nothing is taken, where one of them is not known. */
  takeKnown(jobIds: readonly string[]): readonly KnownRun[] | null {
    const known: KnownRun[] = [];
    for (const id of jobIds) {
      const run = this.#runs.get(id);
      if (run === undefined || run.row === null) return null;
      known.push({ row: run.row, log: run.log });
    }
    for (const id of jobIds) this.#runs.delete(id);
    return known;
  }

  /** What a claim has told of a run. */
  keepClaimed(claimed: ClaimedRow): void {
    const { log_seq: seq, log_hash: hash, has_called: hasCalled } = claimed;
    if (seq === undefined) return;
    const { ord, id, status, worker_id, attempt, crashes, topology, labels, correlation_id } = claimed;
    const { stop_requested_at, stop_requested_by, caller_job_id } = claimed;
    const asked = { stop_requested_at, stop_requested_by, caller_job_id };
    const log = seq === null ? newLog() : { seq, hash: hash ?? '', used: hasCalled === false ? new RunUsage() : null };
    this.keep(id, log, { ord, id, status, worker_id, attempt, crashes, topology, labels, correlation_id, ...asked });
  }

  /** `row`: as it was left; null: of a run that this process does not hold. */
  keep(jobId: string, log: FollowedLog, row: LockedJob | null): void {
    const { seq, hash } = log;
    if (row !== null) keepNewest(this.#committed, MAX_LOGS, [jobId, { seq, hash, attempt: row.attempt }]);
    const kept = row !== null && isPlain(row) ? row : null;
    if (log.used !== null || kept !== null) keepNewest(this.#runs, MAX_LOGS, [jobId, { log, row: kept }]);
  }
}

/** What HOLD_JOBS asks of a row, and a caller would have to be woken at its end. */
const isPlain = (row: LockedJob): boolean =>
  row.status === 'running' && row.crashes === 0 && row.stop_requested_at === null && row.caller_job_id === null;
