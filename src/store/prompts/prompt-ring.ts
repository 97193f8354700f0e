import type { HeldCall, HeldConversation, PromptBounds, PromptKeeper } from '../../domain/ports/prompts.js';
import type { Pacing } from '../pacing.js';

/** A crash loses what was asked since the last write. */
const WRITE_EVERY_MS = 1_000;

/** One write of the ring. */
export interface RingWrite {
  readonly calls: readonly HeldCall[];
  /** How many messages the row before tells, where one was written. */
  readonly written: (conversation: HeldConversation) => number | undefined;
  /** Null: not now. */
  readonly trim: PromptBounds | null;
}

interface RingDeps {
  readonly write: (write: RingWrite) => Promise<void>;
  readonly pacing: Pick<Pacing, 'nowMs' | 'sleep'>;
}

/**
 * The calls of this process that are not written yet, and when they are: once a second, with a
 * `flush`, and at the end. The store is trimmed once a second, and after every quarter of the
 * number that is kept: an end of a run need not pay for it. Where many runs end, most of what each
 * of them wrote would be dropped before anybody looks.
 */
export class PromptRing implements PromptKeeper {
  readonly #deps: RingDeps;
  readonly #written = new WeakMap<HeldConversation, number>();
  readonly #closing = new AbortController();
  #bounds: PromptBounds | null = null;
  #held: HeldCall[] = [];
  #heldChars = 0;
  /** Rows since the last trim. */
  #untrimmed = 0;
  #trimmedAtMs = Number.NEGATIVE_INFINITY;
  /** Rows since a second began. */
  #inSecond = 0;
  #secondAtMs = Number.NEGATIVE_INFINITY;
  #isTimed = false;
  #writing: Promise<void> | null = null;

  constructor(deps: RingDeps) {
    this.#deps = deps;
  }

  bound(bounds: PromptBounds): this {
    this.#bounds = bounds;
    return this;
  }

  hold(call: HeldCall): void {
    this.#held.push(call);
    this.#heldChars += call.chars;
    const { count, bytes } = this.#bounds ?? { count: 1, bytes: 0 };
    // The next write would drop them: there are that many newer ones.
    while (this.#held.length > count || (this.#held.length > 1 && this.#heldChars > bytes))
      this.#heldChars -= this.#held.shift()?.chars ?? 0;
    this.#time();
  }

  flush(): Promise<void> {
    if (this.#held.length > 0) this.#writing ??= this.#write();
    return this.#writing ?? Promise.resolve();
  }

  async runEnded(): Promise<void> {
    const isBusy = this.#deps.pacing.nowMs() - this.#secondAtMs < WRITE_EVERY_MS && this.#isQuarter(this.#inSecond);
    if (!isBusy) await this.flush();
  }

  /** Writes what is held; what is held later is not written. */
  async close(): Promise<void> {
    this.#closing.abort('closed');
    await this.flush();
    if (this.#untrimmed > 0) await this.#writeOnce();
  }

  /** What is held meanwhile shares the next write. */
  async #write(): Promise<void> {
    try {
      while (this.#held.length > 0) await this.#writeOnce();
    } finally {
      this.#writing = null;
    }
  }

  async #writeOnce(): Promise<void> {
    const { write, pacing } = this.#deps;
    const calls = this.#held;
    this.#held = [];
    this.#heldChars = 0;
    const [bounds, nowMs] = [this.#bounds, pacing.nowMs()];
    this.#untrimmed += calls.length;
    if (nowMs - this.#secondAtMs >= WRITE_EVERY_MS) [this.#inSecond, this.#secondAtMs] = [0, nowMs];
    this.#inSecond += calls.length;
    const isDue = nowMs - this.#trimmedAtMs >= WRITE_EVERY_MS || this.#isQuarter(this.#untrimmed);
    const trim = isDue || this.#closing.signal.aborted ? bounds : null;
    await write({ calls, written: (conversation) => this.#written.get(conversation), trim });
    for (const { conversation, messages } of calls) this.#written.set(conversation, messages.count);
    if (trim !== null) [this.#untrimmed, this.#trimmedAtMs] = [0, nowMs];
    else this.#time();
  }

  #isQuarter(rows: number): boolean {
    return rows * 4 >= (this.#bounds?.count ?? 0);
  }

  #time(): void {
    if (this.#isTimed) return;
    this.#isTimed = true;
    this.#deps.pacing.sleep(WRITE_EVERY_MS, this.#closing.signal).then(
      () => {
        this.#isTimed = false;
        const write = this.#held.length > 0 || this.#untrimmed === 0 ? this.flush() : this.#writeOnce();
        // Whoever flushes hears of it; the rest is not missed.
        write.catch(() => undefined);
      },
      () => undefined,
    );
  }
}
