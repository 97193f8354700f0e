import { KitError } from '../domain/errors.js';
import type { RunWrite, StepRow } from '../domain/journal.js';
import { SpentSoFar } from '../govern/spent.js';
import { Unfinished } from './unfinished.js';

export interface JournalSessionDeps {
  /** Rows as they were loaded at claim. */
  readonly rows: readonly StepRow[];
  /**
   * Commits batches under the fence, all of them or none; calls are committed in call order.
   * Rejects with code KIT_LEASE_LOST.
   */
  readonly commit: (batches: readonly (readonly RunWrite[])[]) => Promise<unknown>;
  /** Called once when a commit failed: nothing after it may be acted on. */
  readonly onBroken: (error: unknown) => void;
  /** Runs a function once the interpreter has no more to say for now (setImmediate). */
  readonly defer: (fn: () => void) => void;
}

/**
 * The interpreter's side of the journal: rows in memory, writes on their way. The interpreter may
 * run ahead of a commit, an outside effect may not: it awaits `flush()` first. The end of one step
 * and the start of the next are one batch (docs/design/journal.md#shared-commit), and the batches
 * between two effects (the end of a step and of its agent, the start of the next ones) are handed
 * in together, for one commit. Nothing is held back for longer than one turn of the event loop.
 */
export class JournalSession {
  /** What its rows have consumed, those written in this session included. */
  readonly spent: SpentSoFar;
  readonly #deps: JournalSessionDeps;
  readonly #rows: Map<string, StepRow>;
  #held: RunWrite[][] = [];
  #last: Promise<unknown> = Promise.resolve();
  /** Commits on their way. */
  #open = 0;
  #broken: unknown = null;

  constructor(deps: JournalSessionDeps) {
    this.#deps = deps;
    this.#rows = new Map(deps.rows.map((row) => [row.key, row]));
    this.spent = new SpentSoFar(this.#rows.values());
  }

  /**
   * Throws KIT_JOURNAL_PRUNED for a row whose result was removed: what is left of it is not a
   * result to go on with.
   */
  get(key: string): StepRow | undefined {
    const row = this.#rows.get(key);
    if (row?.prunedAt !== undefined)
      throw new KitError('KIT_JOURNAL_PRUNED', `the result of ${key} was removed`, { data: { key } });
    return row;
  }

  /** Every row of the run, those written in this session included, in start order. */
  all(): IterableIterator<StepRow> {
    return this.#rows.values();
  }

  /** Records a start; `row.outcome` is null. */
  start(write: Extract<RunWrite, { op: 'step.started' }>): void {
    this.#put(write.row);
    const last = this.#held.at(-1);
    if (last?.length === 1 && last[0]?.op === 'step.ended') last.push(write);
    else this.#hold(write);
  }

  /**
   * What somebody says of a step that has its end already is not recorded: the store would refuse
   * it, and with it all that the run does beside.
   */
  note(write: Extract<RunWrite, { op: 'step.noted' }>): Promise<void> {
    const row = this.#rows.get(write.key);
    if (row !== undefined && row.outcome !== null) return Promise.resolve();
    if (row !== undefined) this.#put({ ...row, notes: { ...row.notes, ...write.notes } });
    this.#held.push([write]);
    return this.flush();
  }

  /**
   * Records an end. It is sent with what starts next, or by itself as soon as the interpreter
   * pauses.
   */
  end(write: Extract<RunWrite, { op: 'step.ended' }>): void {
    const row = this.#rows.get(write.key);
    if (row === undefined) throw new Error(`end of a step that never started: ${write.key}`);
    this.#put({
      ...row,
      outcome: write.outcome,
      usage: write.usage,
      units: write.units,
      endedAt: write.endedAt,
    });
    this.#hold(write);
  }

  /**
   * Resolves when everything recorded so far is durable; throws Unfinished when that can no longer
   * happen.
   */
  flush(): Promise<void> {
    this.#release();
    return this.#last.then(this.#assertWhole);
  }

  readonly #assertWhole = (): void => {
    if (this.#broken !== null) throw new Unfinished('lease_lost');
  };

  /**
   * The last write of a claim, handed in with what is still held back. Resolves, or throws, like
   * `flush`.
   */
  finish(write: Extract<RunWrite, { op: 'run.ended' | 'run.parked' }>): Promise<void> {
    this.#held.push([write]);
    return this.flush();
  }

  /**
   * This process lets go of the run while it still holds it: what is recorded by now is sent, and
   * nothing after it.
   */
  leave(): void {
    this.#release();
    this.#broken ??= new Unfinished('lease_lost');
  }

  #put(row: StepRow): void {
    this.spent.replace(this.#rows.get(row.key), row);
    this.#rows.set(row.key, row);
  }

  #hold(write: RunWrite): void {
    const held = this.#held;
    held.push([write]);
    if (held.length > 1) return;
    this.#deps.defer(() => {
      if (this.#held === held) this.#release();
    });
  }

  #release(): void {
    const held = this.#held;
    if (held.length === 0) return;
    this.#held = [];
    this.#send(held);
  }

  #send(batches: readonly (readonly RunWrite[])[]): void {
    const commit = this.#broken === null ? this.#deps.commit(batches) : Promise.reject(this.#broken);
    // What has settled need not be waited for again.
    const earlier = this.#open === 0 ? undefined : this.#last;
    this.#open += 1;
    // Not what the commit gave: each link would hold all events of the run so far.
    const settled = (): unknown => {
      this.#open -= 1;
      return earlier;
    };
    this.#last = commit.then(settled, (error: unknown) => {
      this.#break(error);
      return settled();
    });
  }

  #break(error: unknown): void {
    if (this.#broken !== null) return;
    this.#broken = error;
    this.#deps.onBroken(error);
  }
}
