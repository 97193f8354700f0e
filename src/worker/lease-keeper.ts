import { messageOf } from '../domain/errors.js';
import type { Fence } from '../domain/job.js';
import type { JobStore } from '../domain/ports/stores.js';
import { type Clock, elapsedMs, type LeaseSignal, type Log } from '../domain/ports/system.js';
import { afterMs } from '../engine/second-hand.js';

/**
 * Processes of a run must be gone this long before the lease ends
 * (docs/design/journal.md#supervisor).
 */
const PROCESS_MARGIN_MS = 10_000;

export interface LeaseKeeperDeps {
  readonly jobs: JobStore;
  readonly fence: Fence;
  readonly leaseMs: number;
  readonly clock: Clock;
  readonly log: Log;
  /** Nothing of the run executes: its time is not time of execution. Default: false. */
  readonly isResting?: boolean;
  /** The lease is lost: stop this run, write nothing more. */
  readonly onLost: () => void;
}

/**
 * Heartbeats every third of a lease. Supervisors are renewed only after a successful one, and told
 * a deadline that lies before the end of the lease, so that no process of the run outlives it.
 */
export class LeaseKeeper implements LeaseSignal {
  readonly #deps: LeaseKeeperDeps;
  readonly #listeners = new Set<(untilMs: number) => void>();
  #isOver = false;
  #cancel: (() => void) | null = null;
  #untilMs: number;
  #beatAtMs: number;
  /** The same moment, by the clock that nobody sets. */
  #countedAtMs: number;
  #executedMs: number;
  /** The heartbeat that is under way. */
  #beating: Promise<void> | null = null;
  #last: Promise<unknown> | null = null;

  /** @param claimed `atMs`: a time of this process's clock at which the lease had not begun yet */
  constructor(deps: LeaseKeeperDeps, claimed: { readonly atMs: number; readonly executedMs: number }) {
    this.#deps = deps;
    const { clock } = deps;
    this.#beatAtMs = claimed.atMs;
    this.#countedAtMs = elapsedMs(clock) - Math.max(0, clock.now() - claimed.atMs);
    this.#executedMs = claimed.executedMs;
    this.#untilMs = claimed.atMs + this.#usableMs();
  }

  start(): void {
    this.#next();
  }

  until(): number {
    return this.#untilMs;
  }

  onRenew(listener: (untilMs: number) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Execution time so far, with the part that no heartbeat has written yet. */
  executedMs(): number {
    return this.#executedMs + this.#sinceBeatMs(elapsedMs(this.#deps.clock));
  }

  /**
   * A time of this process's clock at which the lease, as it was last renewed, had not begun yet.
   */
  renewedAt(): number {
    return this.#beatAtMs;
  }

  /** Ends the loop; nothing of it is under way afterwards. Idempotent. */
  async stop(): Promise<void> {
    this.#isOver = true;
    this.#cancel?.();
    await this.#beating;
  }

  /**
   * The heartbeat after the loop, so that all of the execution time is on the row. It is handed to
   * the store before this returns: what is handed in next shares its commit. Idempotent.
   */
  lastBeat(): Promise<unknown> {
    this.#last ??= this.#beat();
    return this.#last;
  }

  #sinceBeatMs(countedMs: number): number {
    return this.#deps.isResting === true ? 0 : Math.max(0, countedMs - this.#countedAtMs);
  }

  /** How long processes of the run may go on without another heartbeat. */
  #usableMs(): number {
    const { leaseMs } = this.#deps;
    return leaseMs - Math.min(PROCESS_MARGIN_MS, Math.floor(leaseMs / 3));
  }

  #next(): void {
    if (this.#isOver) return;
    const { clock, leaseMs } = this.#deps;
    this.#cancel = afterMs(clock, Math.floor(leaseMs / 3), this.#beatAndGoOn);
  }

  readonly #beatAndGoOn = (): void => {
    this.#beating = this.#beat().then((isHeld) => {
      this.#beating = null;
      if (isHeld) this.#next();
    });
  };

  async #beat(): Promise<boolean> {
    const { jobs, fence, leaseMs, clock, log, onLost } = this.#deps;
    const nowMs = clock.now();
    const countedMs = elapsedMs(clock);
    const addMs = this.#sinceBeatMs(countedMs);
    try {
      const { lost } = await jobs.heartbeat(fence, leaseMs, addMs);
      if (lost) {
        onLost();
        return false;
      }
    } catch (error) {
      // A store that does not answer is not a lost lease yet: the supervisors' deadline bounds what
      // can happen meanwhile.
      log.warn('heartbeat failed', { job: fence.jobId, error: messageOf(error) });
      return true;
    }
    this.#beatAtMs = nowMs;
    this.#countedAtMs = countedMs;
    this.#executedMs += addMs;
    this.#untilMs = nowMs + this.#usableMs();
    for (const listener of this.#listeners) listener(this.#untilMs);
    return true;
  }
}
