import type { WriteQueueDeps, WriteRequest } from './attempt-group.js';
import { attemptGroup, type Outcome } from './attempt-group.js';
import { asGivenUp, isPassing } from './failures.js';

/** Writes that share one commit, as in the other dialect. */
const MAX_GROUP = 256;
/**
 * What a commit of many lets go on comes again a moment later: so long it is waited for, else
 * groups fall apart into ever smaller ones, and each costs both sides a transaction.
 */
const GATHER_MS = 2;
/** Fewer are not waited for. */
const MANY = 5;
const RETRY_MIN_MS = 5;
const RETRY_MAX_MS = 50;

interface Entry {
  readonly request: WriteRequest<unknown>;
  readonly since: number;
  readonly settle: (outcome: Outcome) => void;
}

/** Nobody has been answered yet, so none of them comes behind another by right. */
const inPlace = (group: readonly Entry[]): readonly Entry[] =>
  (['first', undefined, 'last'] as const).flatMap((place) => group.filter(({ request }) => request.place === place));

/**
 * All writes of a process, in the order they were handed in, on one connection. What arrives while
 * a commit runs shares the next one. Promises settle after COMMIT has returned. A group that cannot
 * be committed as one is done again entry by entry, so that a bad value or a row that somebody else
 * holds spoils nobody else's write.
 */
export class WriteQueue {
  readonly #deps: WriteQueueDeps;
  readonly #entries: Entry[] = [];
  #drained: Promise<void> = Promise.resolve();
  #isDraining = false;
  #isClosed = false;

  constructor(deps: WriteQueueDeps) {
    this.#deps = deps;
  }

  /**
   * Resolves with what `work` returned once it is durable. Throws what `work` threw,
   * KIT_STORE_BUSY, KIT_STORE_UNAVAILABLE, or KIT_STORE_REFUSED.
   */
  run<T>(request: WriteRequest<T>): Promise<T> {
    if (this.#isClosed) return Promise.reject(new Error('the store is closed'));
    return new Promise<T>((resolve, reject) => {
      // The value is the one `work` of this entry returned.
      const settle = (outcome: Outcome): void => (outcome.ok ? resolve(outcome.value as T) : reject(outcome.error));
      this.#entries.push({ request, since: this.#deps.pacing.nowMs(), settle });
      if (this.#isDraining) return;
      this.#isDraining = true;
      this.#drained = this.#drain();
    });
  }

  /** Finishes what was handed in and takes nothing more. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#drained;
  }

  async #drain(): Promise<void> {
    await this.#deps.pacing.nextTurn();
    while (this.#entries.length > 0) {
      const group = inPlace(this.#entries.splice(0, MAX_GROUP));
      await this.#commit(group);
      if (group.length >= MANY && !this.#isClosed) await this.#deps.pacing.sleep(GATHER_MS);
    }
    this.#isDraining = false;
  }

  async #commit(group: readonly Entry[]): Promise<void> {
    if (group.length > 1 && (await this.#settles(group)) === null) return;
    for (const entry of group) await this.#persist(entry);
  }

  /**
   * Again after a pause while the trouble is of the kind that passes; what has waited too long is
   * given up.
   */
  async #persist(entry: Entry): Promise<void> {
    const { pacing, busyLimitMs } = this.#deps;
    for (;;) {
      const undone = await this.#settles([entry]);
      if (undone === null) return;
      const hasWaited = pacing.nowMs() - entry.since > busyLimitMs;
      if (hasWaited || !isPassing(undone.error)) {
        entry.settle({ ok: false, error: asGivenUp(undone.error) });
        return;
      }
      await pacing.sleep(RETRY_MIN_MS + (RETRY_MAX_MS - RETRY_MIN_MS) * pacing.random());
    }
  }

  /** Tells each entry what became of it; else why nothing was written. */
  async #settles(group: readonly Entry[]): Promise<{ readonly error: unknown } | null> {
    const attempt = await attemptGroup(
      this.#deps,
      group.map((entry) => entry.request),
    );
    if (attempt.kind === 'undone') return attempt;
    for (const [index, entry] of group.entries())
      entry.settle(attempt.outcomes[index] ?? { ok: false, error: new Error('no outcome') });
    this.#deps.onCommit(attempt);
    return null;
  }
}
