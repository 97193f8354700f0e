/** A slot that a submit holds until its job is claimed; exactly one of the two is called, once. */
export interface Reservation {
  /** The row is committed: whoever claims this job takes the slot over. */
  hand(jobId: string): void;
  /** There is no new row. */
  cancel(): void;
}

/**
 * The one count of the runs of a process (`server.jobs.max_concurrent`;
 * docs/design/decisions.md#capacity). A submit reserves before it writes, so that no burst accepts
 * more than there is room for; the work loop claims what neither a run nor a write has.
 */
export class Slots {
  #max: number;
  #running = 0;
  #writing = 0;
  /** Claims that execute, by job: one whose lease was lost may still end beside the next. */
  readonly #claims = new Map<string, number>();
  /** Jobs that were accepted here and that nobody has claimed yet. */
  readonly #waiting = new Set<string>();

  constructor(max: number) {
    this.#max = max;
  }

  get max(): number {
    return this.#max;
  }

  /** Runs that execute, and accepted ones that are about to. */
  get active(): number {
    return this.#running + this.#writing + this.#waiting.size;
  }

  /** How many jobs the loop may claim now; a job that waits here keeps its own room. */
  get claimable(): number {
    return Math.max(0, this.#max - this.#running - this.#writing);
  }

  /** A smaller maximum ends nothing: it holds for what comes next. */
  resize(max: number): void {
    this.#max = max;
  }

  /** Null: every slot is taken. */
  reserve(): Reservation | null {
    if (this.active >= this.#max) return null;
    this.#writing += 1;
    return {
      // The claim may share the commit of the row, and be heard of first.
      hand: (jobId) => {
        this.#writing -= 1;
        if (!this.#claims.has(jobId)) this.#waiting.add(jobId);
      },
      cancel: () => {
        this.#writing -= 1;
      },
    };
  }

  waiting(): readonly string[] {
    return [...this.#waiting];
  }

  /** Another process took these, or somebody stopped them: their room is free. */
  forget(jobIds: readonly string[]): void {
    for (const id of jobIds) this.#waiting.delete(id);
  }

  claimed(jobId: string): void {
    this.#waiting.delete(jobId);
    this.#running += 1;
    this.#claims.set(jobId, (this.#claims.get(jobId) ?? 0) + 1);
  }

  ended(jobId: string): void {
    this.#running -= 1;
    const left = (this.#claims.get(jobId) ?? 0) - 1;
    if (left > 0) this.#claims.set(jobId, left);
    else this.#claims.delete(jobId);
  }
}
