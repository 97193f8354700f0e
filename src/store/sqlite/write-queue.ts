import type { FaultPoints } from '../../domain/faults.js';
import type { DurableWrite } from '../fault-points.js';
import type { Pacing } from '../pacing.js';
import { BUSY_LIMIT_MS, isBusy, retryDelayMs, storeBusy } from './busy.js';
import { leavesOthers, type Outcome, runBare, runInSavepoint, type Work, type WriterMemo } from './entry-work.js';
import type { SqlRunner } from './sql-runner.js';
import { asUnwritable } from './unwritable.js';

/**
 * Bounds of one commit (docs/design/journal.md#group-commit): how many writes share it, and how
 * long it may hold the event loop and the file.
 */
const MAX_GROUP = 128;
const MAX_GROUP_MS = 10;
/** How long the file is left to other processes afterwards. */
const PAUSE_MS = 1;

/**
 * A group up to this size is what one run hands in at once: the ends of a step and of its agent,
 * the next two starts.
 */
const SMALL_GROUP = 8;

/** Differs, on this connection, as soon as another one has committed; own commits leave it. */
const FILE_VERSION = 'PRAGMA data_version';

interface Entry {
  readonly writes: readonly DurableWrite[];
  readonly work: Work<unknown>;
  readonly since: number;
  readonly settle: (outcome: Outcome) => void;
}

export interface WriteQueueDeps {
  /** The process's one writing connection. */
  readonly sql: SqlRunner;
  readonly faults: FaultPoints;
  readonly pacing: Pacing;
  /** Throws KIT_STORE_GONE where the file of the connection is not the one that lies there. */
  readonly assertThere: () => void;
  /** After each commit, whoever waited has been told. Does not throw. */
  readonly onCommit: () => void;
}

/**
 * All writes of a process, in the order they were handed in. What arrives while a commit runs
 * shares the next one. Promises settle after COMMIT has returned. No await inside a transaction.
 */
export class WriteQueue {
  readonly #deps: WriteQueueDeps;
  readonly #entries: Entry[] = [];
  #drained: Promise<void> = Promise.resolve();
  #isDraining = false;
  #isClosed = false;
  /** Time under the write lock since the file was last left to others. */
  #heldMs = 0;
  readonly #memo: WriterMemo = new Map();
  /** FILE_VERSION of what the memo says. */
  #version: unknown = null;
  #isApart = false;
  /** Until then the file belongs to other processes. */
  #othersUntilMs = 0;

  constructor(deps: WriteQueueDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves with what `work` returned once it is durable. Throws what `work` threw, or
   * KIT_STORE_BUSY.
   */
  run<T>(writes: readonly DurableWrite[], work: Work<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Error('the store is closed'));
    return new Promise<T>((resolve, reject) => {
      // The value is the one `work` of this entry returned.
      const settle = (outcome: Outcome): void => {
        this.heard(outcome);
        if (outcome.ok) resolve(outcome.value as T);
        else reject(outcome.error);
      };
      const nowMs = this.#deps.pacing.nowMs();
      this.#entries.push({ writes, work, since: nowMs, settle });
      if (this.#entries.length >= MAX_GROUP && nowMs >= this.#othersUntilMs) this.#flush();
      if (this.#isDraining) return;
      this.#isDraining = true;
      this.#drained = this.#drain();
    });
  }

  /**
   * What earlier entries noted and still holds, outside of a write. Throws when the file is locked.
   */
  recall(): ReadonlyMap<string, unknown> {
    this.#forgetIfOthersWrote();
    return this.#memo;
  }

  /** What one write came to, before whoever waits for it is told. */
  protected heard(_outcome: Outcome): void {}

  /** Finishes what was handed in and takes nothing more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#drained;
  }

  /**
   * Flushed by setImmediate: a microtask would starve timers and split what belongs together. What
   * fills a commit does not wait for that: where the answers of hundreds of runs come at once, the
   * first would wait until the last has been worked on, and then all of them would go on at once.
   */
  async #drain(): Promise<void> {
    const { pacing } = this.#deps;
    await pacing.nextTurn();
    while (this.#entries.length > 0) {
      const waitMs = this.#othersUntilMs - pacing.nowMs();
      if (waitMs > 0) await pacing.sleep(waitMs);
      // What filled a group meanwhile has been committed.
      if (this.#entries.length > 0 && !this.#flush()) await pacing.nextTurn();
    }
    this.#isDraining = false;
  }

  /** Commits one group; true: a pause is due before the next. */
  #flush(): boolean {
    const waitMs = this.#commitGroup();
    this.#othersUntilMs = this.#deps.pacing.nowMs() + waitMs;
    return waitMs > 0;
  }

  /** Answers how long to wait before the next. */
  #commitGroup(): number {
    const { sql, pacing } = this.#deps;
    const startedMs = pacing.nowMs();
    try {
      this.#deps.assertThere();
      sql.run('BEGIN IMMEDIATE', {});
    } catch (error) {
      return this.#onNoLock(error);
    }
    this.#forgetIfOthersWrote();
    const group: Entry[] = [];
    const outcomes = this.#commit(group, startedMs);
    if (outcomes === null) return this.#commitGroup();
    for (const [index, entry] of group.entries())
      entry.settle(outcomes[index] ?? { ok: false, error: new Error('no outcome') });
    this.#deps.onCommit();
    return this.#pauseAfter(group.length, pacing.nowMs() - startedMs);
  }

  /**
   * Fills `group` and commits it: one outcome for each entry, whatever happens; null when the group
   * is to run once more, apart.
   */
  #commit(group: Entry[], startedMs: number): readonly Outcome[] | null {
    const { sql, faults } = this.#deps;
    let outcomes: readonly Outcome[] | null;
    let written: readonly DurableWrite[];
    try {
      outcomes = this.#work(group, startedMs);
      if (outcomes === null) return null;
      written = writtenBy(group, outcomes);
      for (const write of written) faults.hit(`${write}:before`);
      sql.run('COMMIT', {});
    } catch (error) {
      this.#undo();
      const failure = asUnwritable(error);
      return group.map(() => ({ ok: false, error: failure }));
    }
    try {
      for (const write of written) faults.hit(`${write}:after`);
      return outcomes;
    } catch (error) {
      return group.map(() => ({ ok: false, error }));
    }
  }

  /**
   * Runs a group in the open transaction. Refusals are rare, and a savepoint copies every page that
   * is written behind it: entries run bare until one refuses. Then the transaction is given up
   * (null), and the next one runs each entry in a savepoint of its own.
   */
  #work(group: Entry[], startedMs: number): readonly Outcome[] | null {
    if (this.#isApart) {
      this.#isApart = false;
      return this.#runAll(group, startedMs, runInSavepoint);
    }
    try {
      return this.#runAll(group, startedMs, runBare);
    } catch {
      this.#undo();
      this.#entries.unshift(...group.splice(0));
      this.#isApart = true;
      return null;
    }
  }

  #runAll(group: Entry[], startedMs: number, runOne: typeof runBare): readonly Outcome[] {
    const { sql, pacing } = this.#deps;
    const outcomes: Outcome[] = [];
    const memo = this.#memo;
    while (group.length < MAX_GROUP && (group.length === 0 || pacing.nowMs() - startedMs < MAX_GROUP_MS)) {
      const entry = this.#entries.shift();
      if (entry === undefined) break;
      group.push(entry);
      outcomes.push(runOne(sql, entry.work, memo));
      if (!entry.writes.every(leavesOthers)) memo.clear();
    }
    return outcomes;
  }

  #forgetIfOthersWrote(): void {
    const version = this.#deps.sql.get<{ data_version: number }>(FILE_VERSION, {})?.data_version;
    if (version === this.#version) return;
    this.#memo.clear();
    this.#version = version;
  }

  /**
   * SQLite has already rolled back after some errors (a full disk): then there is nothing to undo.
   */
  #undo(): void {
    this.#memo.clear();
    try {
      this.#deps.sql.exec('ROLLBACK');
    } catch {
      // no transaction is open
    }
  }

  /**
   * Another process is writing: try again soon, and give up on what has waited too long. Anything
   * else fails all.
   */
  #onNoLock(error: unknown): number {
    const { pacing } = this.#deps;
    const hasWaited = (entry: Entry): boolean => !isBusy(error) || pacing.nowMs() - entry.since > BUSY_LIMIT_MS;
    while (this.#entries[0] !== undefined && hasWaited(this.#entries[0])) {
      this.#entries.shift()?.settle({ ok: false, error: isBusy(error) ? storeBusy(error) : asUnwritable(error) });
    }
    return retryDelayMs(pacing);
  }

  /**
   * A group is followed by a pause, so that other processes get in. A single run's commits are
   * short and far apart: they share one pause for every MAX_GROUP_MS under the lock, or each step
   * would cost a millisecond.
   */
  #pauseAfter(size: number, heldMs: number): number {
    this.#heldMs += heldMs;
    if (size <= SMALL_GROUP && this.#heldMs < MAX_GROUP_MS) return 0;
    this.#heldMs = 0;
    return PAUSE_MS;
  }
}

const writtenBy = (group: readonly Entry[], outcomes: readonly Outcome[]): readonly DurableWrite[] =>
  group.flatMap((entry, index) => (outcomes[index]?.ok === true ? entry.writes : []));
