import { KitError } from '../domain/errors.js';
import type { RunWrite, StepRow } from '../domain/journal.js';
import { Unfinished } from './unfinished.js';

export interface JournalSessionDeps {
  /** Rows as they were loaded at claim. */
  readonly rows: readonly StepRow[];
  /** Commits a batch under the fence; calls are committed in call order. Rejects with code KIT_LEASE_LOST. */
  readonly commit: (writes: readonly RunWrite[]) => Promise<unknown>;
  /** Told once when a commit failed: nothing after it may be acted on. */
  readonly onBroken: (error: unknown) => void;
  /** Runs a function once the interpreter has no more to say for now (setImmediate). */
  readonly defer: (fn: () => void) => void;
}

/**
 * The interpreter's side of the journal: rows in memory, writes on their way. The interpreter may run ahead of a commit,
 * an outside effect may not: it awaits `flush()` first. The end of one step is held back until the start of the next, so that
 * both share a commit (journal.md 1.1), but never longer than one turn of the event loop.
 */
export class JournalSession {
  readonly #deps: JournalSessionDeps;
  readonly #rows: Map<string, StepRow>;
  #held: RunWrite | null = null;
  #last: Promise<unknown> = Promise.resolve();
  #broken: unknown = null;

  constructor(deps: JournalSessionDeps) {
    this.#deps = deps;
    this.#rows = new Map(deps.rows.map((row) => [row.key, row]));
  }

  /** Throws KIT_JOURNAL_PRUNED for a row whose result was removed: what is left of it is no result to go on with. */
  get(key: string): StepRow | undefined {
    const row = this.#rows.get(key);
    if (row?.prunedAt !== undefined) throw new KitError('KIT_JOURNAL_PRUNED', `the result of ${key} was removed`, { data: { key } });
    return row;
  }

  /** Every row of the run, those written in this session included, in start order. */
  all(): IterableIterator<StepRow> {
    return this.#rows.values();
  }

  /** Records a start; `row.outcome` is null. */
  start(write: Extract<RunWrite, { op: 'step.started' }>): void {
    this.#rows.set(write.row.key, write.row);
    const held = this.#held;
    this.#held = null;
    this.#send(held === null ? [write] : [held, write]);
  }

  note(write: Extract<RunWrite, { op: 'step.noted' }>): Promise<void> {
    const row = this.#rows.get(write.key);
    if (row !== undefined) this.#rows.set(write.key, { ...row, notes: { ...row.notes, ...write.notes } });
    this.#release();
    this.#send([write]);
    return this.flush();
  }

  /** Records an end. It is sent with the next start, or by itself as soon as the interpreter pauses. */
  end(write: Extract<RunWrite, { op: 'step.ended' }>): void {
    const row = this.#rows.get(write.key);
    if (row === undefined) throw new Error(`end of a step that never started: ${write.key}`);
    this.#rows.set(write.key, { ...row, outcome: write.outcome, usage: write.usage, units: write.units, endedAt: write.endedAt });
    this.#release();
    this.#held = write;
    this.#deps.defer(() => {
      if (this.#held === write) this.#release();
    });
  }

  /** Resolves when everything recorded so far is durable; throws Unfinished when that can no longer happen. */
  async flush(): Promise<void> {
    this.#release();
    await this.#last;
    if (this.#broken !== null) throw new Unfinished('lease_lost');
  }

  /** The last write of the run, handed in with what is still held back. Resolves, or throws, like `flush`. */
  finish(write: Extract<RunWrite, { op: 'run.ended' }>): Promise<void> {
    this.#release();
    this.#send([write]);
    return this.flush();
  }

  #release(): void {
    const held = this.#held;
    this.#held = null;
    if (held !== null) this.#send([held]);
  }

  #send(writes: readonly RunWrite[]): void {
    const commit = this.#broken === null ? this.#deps.commit(writes) : Promise.reject(this.#broken);
    const settled = Promise.all([this.#last, commit]);
    // Not what the commits gave: each link would hold all events of the run so far.
    this.#last = settled.then(nothing, (error: unknown) => {
      if (this.#broken !== null) return;
      this.#broken = error;
      this.#deps.onBroken(error);
    });
  }
}

const nothing = (): undefined => undefined;
