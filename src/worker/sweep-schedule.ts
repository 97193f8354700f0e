/**
 * When a process looks for runs whose lease is over: three times a lease. A store that was away for
 * so long that leases have run out everywhere comes back to workers that are all alive: each of
 * them is given time to renew what it executes, or to give it back, before anybody takes a run over
 * and counts a crash. A worker that does not come back in that time is taken over as ever.
 */
export class SweepSchedule {
  #sweptAtMs = Number.NEGATIVE_INFINITY;
  /**
   * Null: never yet. A process that has just begun holds nothing that it could give back, and waits
   * for nobody.
   */
  #answeredAtMs: number | null = null;
  #restsUntilMs = Number.NEGATIVE_INFINITY;

  /**
   * The store has answered. Claims are renewed every third of a lease, so none has run out after a
   * silence of less than half of one.
   */
  answered(nowMs: number, leaseMs: number): void {
    const restMs = leaseMs / 2;
    if (this.#answeredAtMs !== null && nowMs - this.#answeredAtMs > restMs) this.#restsUntilMs = nowMs + restMs;
    this.#answeredAtMs = nowMs;
  }

  /** True: the caller sweeps now. */
  take(nowMs: number, leaseMs: number): boolean {
    if (nowMs < this.#restsUntilMs || nowMs - this.#sweptAtMs < leaseMs / 3) return false;
    this.#sweptAtMs = nowMs;
    return true;
  }
}
