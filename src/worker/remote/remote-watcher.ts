import { isKitError, messageOf } from '../../domain/errors.js';
import { isWaiting } from '../../domain/job.js';
import type { JobNeeds, JobOffers } from '../../domain/job-needs.js';
import { missingNeeds } from '../../domain/missing-needs.js';
import type { RemoteTasks } from '../../domain/ports/remote-agents.js';
import type { HeldWait, RemoteWait, RemoteWaitStore } from '../../domain/ports/remote-waits.js';
import type { Clock, Log } from '../../domain/ports/system.js';
import { isPassing, type RemoteNote, remoteNoteOf } from '../../engine/skills/remote-note.js';
import { createSemaphore } from '../../lib/semaphore.js';
import { type TakeStream, untilMoved } from './until-moved.js';

const LOOK_MS = 1_000;
/** A process that dies lets others take its rows after this. */
const LEASE_MS = 20_000;
const KEEP_MS = LEASE_MS / 3;
/** Rows of one look. */
const BATCH = 1_000;
const MAX_STREAMS = 200;
const MAX_AT_ONCE = 16;
const CANCEL_MS = 10_000;
/** A task whose agent has not taken a cancel for so long is left to its own limits. */
const FORGET_MS = 24 * 60 * 60_000;

export interface RemoteWatcherDeps {
  readonly waits: Pick<RemoteWaitStore, 'due' | 'hold' | 'settle'>;
  /** As the session has it now. */
  readonly tasks: () => RemoteTasks;
  /** What this process offers to these runs: others are left to others. */
  readonly offers: (needs: readonly JobNeeds[]) => Promise<JobOffers>;
  readonly clock: Clock;
  readonly log: Log;
}

interface Watched {
  readonly wait: HeldWait;
  readonly over: AbortController;
}

/**
 * Watches what parked runs wait for at agents that run elsewhere: one for each process that
 * executes runs, over the rows that it holds (`RemoteWaitStore`). It executes nothing: a run whose
 * task has moved is made claimable, and looks at the task itself. Tasks of runs that were stopped
 * are canceled. At most 200 tasks are followed at once; the others are looked at.
 */
export class RemoteWatcher {
  readonly #deps: RemoteWatcherDeps;
  readonly #watched = new Map<string, Watched>();
  readonly #stop = new AbortController();
  readonly #inTurn = createSemaphore(MAX_AT_ONCE);
  #streams = 0;
  #keptAtMs = 0;
  #woken = Promise.withResolvers<void>();
  #loop: Promise<void> = Promise.resolve();

  constructor(deps: RemoteWatcherDeps) {
    this.#deps = deps;
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** A run of this process has parked: looks at once. */
  wake(): void {
    this.#woken.resolve();
  }

  /** Tasks that are followed in streams just now. */
  get streams(): number {
    return this.#streams;
  }

  /** Lets go of all rows, so that another process takes them at once. */
  async close(): Promise<void> {
    this.#stop.abort('over');
    this.wake();
    await this.#loop;
    const held = [...this.#watched.values()];
    for (const { over } of held) over.abort('over');
    this.#watched.clear();
    if (held.length > 0)
      await this.#deps.waits
        .hold(
          held.map(({ wait }) => wait),
          0,
        )
        .catch(() => undefined); // the leases run out
  }

  async #run(): Promise<void> {
    const { clock, log } = this.#deps;
    while (!this.#stop.signal.aborted) {
      this.#woken = Promise.withResolvers();
      try {
        await this.#keep();
        await this.#take();
      } catch (error) {
        log.warn('waits for agents that run elsewhere could not be read', { error: messageOf(error) });
      }
      const over = new AbortController();
      const pause = clock.sleep(LOOK_MS, AbortSignal.any([this.#stop.signal, over.signal])).catch(() => undefined);
      await Promise.race([pause, this.#woken.promise]);
      over.abort('over');
    }
  }

  /** What could not be kept is somebody else's, or was settled. */
  async #keep(): Promise<void> {
    const { waits, clock } = this.#deps;
    if (this.#watched.size === 0 || clock.now() - this.#keptAtMs < KEEP_MS) return;
    const asked = [...this.#watched.values()];
    const held = new Map(
      (
        await waits.hold(
          asked.map(({ wait }) => wait),
          LEASE_MS,
        )
      ).map((wait) => [idOf(wait), wait]),
    );
    this.#keptAtMs = clock.now();
    for (const { wait, over } of asked) {
      const id = idOf(wait);
      if (this.#watched.get(id)?.over !== over) continue;
      const now = held.get(id);
      if (now === undefined) this.#forget(id);
      else this.#watched.set(id, { wait: now, over });
    }
  }

  #forget(id: string): void {
    this.#watched.get(id)?.over.abort('over');
    this.#watched.delete(id);
  }

  async #take(): Promise<void> {
    const { waits, offers } = this.#deps;
    const due = await waits.due(BATCH);
    if (due.length === 0) return;
    const offered = await offers(due.map(({ needs }) => needs));
    const mine = due.filter(({ needs }) => missingNeeds(needs, offered).length === 0);
    const held = new Map((await waits.hold(mine, LEASE_MS)).map((wait) => [idOf(wait), wait]));
    for (const wait of mine) {
      const row = held.get(idOf(wait));
      if (row !== undefined) this.#begin(wait, row);
    }
  }

  #begin(wait: RemoteWait, row: HeldWait): void {
    const id = idOf(wait);
    this.#forget(id);
    // Its run looks at the task itself; where it parks anew, the row is due again.
    if (wait.isExecuted || isWaiting(wait.status)) return;
    const over = new AbortController();
    this.#watched.set(id, { wait: row, over });
    const note = wait.notes === null ? null : remoteNoteOf(wait.notes);
    void this.#watch(wait, note, AbortSignal.any([this.#stop.signal, over.signal]))
      .catch((error: unknown) =>
        this.#deps.log.warn('a remote task could not be watched', { job: wait.jobId, error: messageOf(error) }),
      )
      .finally(() => {
        if (this.#watched.get(id)?.over === over) this.#watched.delete(id);
      });
  }

  async #watch(wait: RemoteWait, note: RemoteNote | null, signal: AbortSignal): Promise<void> {
    const isWaiting = wait.status === 'running' || wait.status === 'deferred';
    if (note === null) return this.#settle(wait, { wakes: isWaiting }, signal);
    if (!isWaiting) return this.#cancel(wait, note, signal);
    // A message that did not arrive: the run sends it again when its time has come.
    if (note.task === null) return;
    const { tasks, clock } = this.#deps;
    const parts = { tasks: tasks(), clock, takeStream: this.#takeStream, inTurn: this.#inTurn, signal };
    await untilMoved(parts, note);
    await this.#settle(wait, { wakes: true }, signal);
  }

  readonly #takeStream: TakeStream = () => {
    if (this.#streams >= MAX_STREAMS) return null;
    this.#streams += 1;
    return () => {
      this.#streams -= 1;
    };
  };

  async #settle(wait: RemoteWait, of: { readonly wakes: boolean }, signal: AbortSignal): Promise<void> {
    const row = this.#watched.get(idOf(wait))?.wait;
    if (!signal.aborted && row !== undefined) await this.#deps.waits.settle(row, of);
  }

  /** An agent that cannot be asked now is asked again when the lease is over. */
  async #cancel(wait: RemoteWait, note: RemoteNote, signal: AbortSignal): Promise<void> {
    const { tasks, clock, log } = this.#deps;
    const { agent, task, url = '', version = '' } = note;
    if (task === null) return this.#settle(wait, { wakes: false }, signal);
    try {
      const asking = AbortSignal.any([signal, AbortSignal.timeout(CANCEL_MS)]);
      await this.#inTurn(() => tasks().cancel({ ...agent, signal: asking }, { url, version }, task));
    } catch (error) {
      if (signal.aborted) return;
      log.warn('a remote task could not be canceled', { job: wait.jobId, task, error: messageOf(error) });
      if (isKitError(error) && isPassing(error) && clock.now() - note.at < FORGET_MS) return;
    }
    await this.#settle(wait, { wakes: false }, signal);
  }
}

const idOf = ({ jobId, key }: Pick<HeldWait, 'jobId' | 'key'>): string => `${jobId}\n${key}`;
