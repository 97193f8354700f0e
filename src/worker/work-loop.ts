import { messageOf } from '../domain/errors.js';
import type { Job } from '../domain/job.js';
import type { QueueClaim, Stores, WorkerHost } from '../domain/ports/stores.js';
import { type Clock, type Log, onwardTime } from '../domain/ports/system.js';
import { growingDelayMs } from '../lib/growing-delay.js';
import { giveBack, type HeldClaim, holdClaim, type Orphan } from './held-claim.js';
import type { RunJobDeps } from './run-job-deps.js';
import type { Slots } from './slots.js';
import { SweepSchedule } from './sweep-schedule.js';
import { WakeUp } from './wake-up.js';
import { changeOf, type WorkChange } from './work-change.js';

/**
 * Longest time between two looks at the queue: what another process has made runnable goes on
 * within 2 s (docs/design/decisions.md#poll).
 */
const POLL_MS = 1_000;
/**
 * Between two looks after commits that may have made work: many submits make one. As often as a
 * process is told of those of another one.
 */
const SETTLE_MS = 20;
/** Jobs of one claim; more are claimed right after. */
const BATCH = 100;
const BACKOFF = { firstMs: 250, lastMs: 15_000 };
/** Of the time that a drain gives, this much at most is for runs to reach their next boundary. */
const BOUNDARY_MS = 5_000;
/**
 * At the end of a drain, runs get this long to end their processes; then what happens after runs
 * gets as long.
 */
const LEFT_MS = 5_000;

export interface WorkLoopDeps {
  readonly stores: Stores;
  readonly clock: Clock;
  readonly log: Log;
  readonly host: WorkerHost;
  /** Of a claim made now. */
  readonly leaseMs: () => number;
  readonly slots: Slots;
  /**
   * What this process claims now; it may offer something else after a reload, or once a person has
   * approved an adapter.
   */
  readonly claim: () => Omit<QueueClaim, 'limit'>;
  /** What a run that is claimed now is executed with. */
  readonly jobDeps: () => RunJobDeps;
  /** Called with each run that this process no longer executes; never rejects. */
  readonly afterRun: (job: Job) => Promise<void>;
  /** Fires deadlines of gates that have passed. */
  readonly fireDue: () => Promise<void>;
  /** `server.jobs.recover: all`. */
  readonly recoverAll: () => boolean;
  /** Called with each claim and how it ended; default: nothing is called. */
  readonly onChange?: (change: WorkChange) => void;
  /** Watches what parked runs wait for elsewhere. Absent: nobody does here. */
  readonly watcher?: WaitWatcher;
}

/** Works beside the loop from its start to the beginning of its drain. */
export interface WaitWatcher {
  start(): void;
  /** A run has just been let go of. */
  wake(): void;
  close(): Promise<void>;
}

/**
 * The loop of a process that works: it takes over what crashed, fires deadlines, claims what waits
 * with the one claim statement, and executes each claim with the one run pipeline. Errors of the
 * store are logged and waited out; they end nothing.
 */
export class WorkLoop {
  readonly #deps: WorkLoopDeps;
  readonly #held = new Map<string, HeldClaim>();
  #orphans: readonly Orphan[] = [];
  readonly #drain = new AbortController();
  readonly #stop = new AbortController();
  readonly #wake: WakeUp;
  /** What is done behind runs that ended. */
  readonly #after = new Set<Promise<void>>();
  /** Runs whose lease this process gave up while they executed. */
  readonly #givenBack = new Set<string>();
  readonly #idle = Promise.withResolvers<void>();
  #loop: Promise<void> = Promise.resolve();
  readonly #sweeps = new SweepSchedule();
  readonly #time: () => number;
  #firedAtMs = Number.NEGATIVE_INFINITY;

  constructor(deps: WorkLoopDeps) {
    this.#deps = deps;
    this.#time = onwardTime(deps.clock);
    this.#wake = new WakeUp({
      jobs: deps.stores.jobs,
      clock: deps.clock,
      pollMs: POLL_MS,
      settleMs: SETTLE_MS,
      signal: this.#stop.signal,
    });
  }

  /**
   * Takes over what a process that died has left, then goes on by itself. Throws what the store
   * throws at first.
   */
  async start(): Promise<void> {
    await this.#tend();
    this.#loop = this.#run();
    this.#deps.watcher?.start();
  }

  /** Something of this process may be claimable: looks at once. */
  wake(): void {
    this.#wake.now();
  }

  /**
   * Resolves as soon as a look at the queue has found nothing for this process while nothing
   * executes here.
   */
  idle(): Promise<void> {
    return this.#idle.promise;
  }

  /**
   * Claims nothing more and lets runs go on; near the end of `graceMs` they leave at their next
   * boundary, and at the end what is left is cut off and loses its lease: it is `pending` again and
   * goes on where it is claimed next.
   */
  async drain(graceMs: number): Promise<void> {
    this.#stop.abort('drain');
    await Promise.all([this.#loop, this.#deps.watcher?.close()]);
    const boundaryMs = Math.min(BOUNDARY_MS, Math.floor(graceMs / 3));
    await this.#ended(graceMs - boundaryMs);
    this.#drain.abort('drain');
    await this.#ended(boundaryMs);
    for (const held of this.#held.values()) {
      this.#givenBack.add(held.job.id);
      held.leave();
    }
    // Nothing of a run executes when its lease is released (docs/design/journal.md#one-scope): its
    // processes end first. A run that does not end in time keeps its lease, which then runs out;
    // with this process its supervisors go, and what they watch over.
    await this.#ended(LEFT_MS);
    await this.#returnOrphans();
    await this.#within(LEFT_MS, Promise.all(this.#after));
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#deps;
    let failures = 0;
    while (!this.#stop.signal.aborted) {
      try {
        await this.#tend();
        await this.#take();
        failures = 0;
        await this.#wake.next({ watchesStore: this.#deps.slots.claimable > 0 });
      } catch (error) {
        // Who looks late finds that others have taken over what it still holds.
        failures += 1;
        const backoffMs = Math.min(growingDelayMs(failures, BACKOFF), this.#deps.leaseMs() / 3);
        log.warn('the queue could not be read', { error: messageOf(error), retryInMs: backoffMs });
        await clock.sleep(backoffMs, this.#stop.signal).catch(() => undefined);
      }
    }
  }

  /**
   * What is due by the clock: orphans and deadlines once a poll, crashed runs three times a lease,
   * and never before this process's own orphans.
   */
  async #tend(): Promise<void> {
    const { stores, host, leaseMs, log } = this.#deps;
    const nowMs = this.#time();
    if (nowMs - this.#firedAtMs >= POLL_MS) {
      await this.#returnOrphans();
      await this.#deps.fireDue();
      this.#firedAtMs = nowMs;
      this.#sweeps.answered(this.#time(), leaseMs());
    }
    if (!this.#sweeps.take(this.#time(), leaseMs())) return;
    const swept = await stores.jobs.sweep(host, { recoverAll: this.#deps.recoverAll() });
    for (const job of swept)
      log.warn('a run whose process is gone was taken over', { job: job.id, status: job.status });
  }

  async #take(): Promise<void> {
    const { stores, slots, clock } = this.#deps;
    while (!this.#stop.signal.aborted) {
      const askedAtMs = clock.now();
      const limit = Math.min(BATCH, slots.claimable);
      if (limit === 0) return;
      const waiting = slots.waiting();
      const isResting = this.#held.size === 0;
      const jobs = await stores.jobs.claim({ ...this.#deps.claim(), limit });
      for (const job of jobs)
        this.#hold(holdClaim(this.#deps.jobDeps(), job, { drain: this.#drain.signal, askedAtMs }));
      if (jobs.length === limit) continue;
      if (isResting && jobs.length === 0) this.#idle.resolve();
      // There was room for all that waited before: what was not claimed now is not there to be
      // claimed.
      slots.forget(waiting);
      return;
    }
  }

  #hold(held: HeldClaim): void {
    const { slots, afterRun, onChange } = this.#deps;
    const { job } = held;
    slots.claimed(job.id);
    this.#held.set(job.id, held);
    onChange?.({ kind: 'claimed', job });
    void held.done.then(async (result) => {
      if (result.kind === 'waiting' || result.kind === 'parked') this.#deps.watcher?.wake();
      if (result.kind === 'lost') this.#orphans = [...this.#orphans, { ...result, fence: held.fence }];
      this.#held.delete(job.id);
      slots.ended(job.id);
      this.#wake.now();
      onChange?.(changeOf(job, result, { isGivenBack: this.#givenBack.has(job.id) }));
      const after = afterRun(job);
      this.#after.add(after);
      await after;
      this.#after.delete(after);
    });
  }

  async #returnOrphans(): Promise<void> {
    const orphans = this.#orphans;
    this.#orphans = [];
    const kept: Orphan[] = [];
    for (const orphan of orphans)
      if (!(await giveBack({ jobs: this.#deps.stores.jobs, log: this.#deps.log }, orphan))) kept.push(orphan);
    this.#orphans = [...this.#orphans, ...kept];
  }

  /** Resolves when nothing executes any more, or after `ms`. */
  #ended(ms: number): Promise<void> {
    return this.#within(ms, Promise.all([...this.#held.values()].map(({ done }) => done)));
  }

  async #within(ms: number, all: Promise<unknown>): Promise<void> {
    const over = new AbortController();
    await Promise.race([all, this.#deps.clock.sleep(ms, over.signal).catch(() => undefined)]);
    over.abort('over');
  }
}
