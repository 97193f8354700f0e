import { messageOf } from '../../domain/errors.js';
import type { AuditCopy, AuditLag } from '../../domain/ports/audit.js';
import type { Log } from '../../domain/ports/system.js';
import { growingDelayMs } from '../../lib/growing-delay.js';
import type { Pacing } from '../pacing.js';
import type { LogSource } from './log-source.js';
import type { LogTarget } from './log-target.js';

/** Longest time between two looks at the log of the runs; a commit wakes the copier earlier. */
const POLL_MS = 1_000;
/** After a change: the events of many commits go in one. */
const SETTLE_MS = 100;
/** Another process copies: it is left to it. */
const OTHERS_MS = 500;
const BACKOFF = { firstMs: 500, lastMs: 15_000 };
/** How long a process that ends waits for the rest. */
const CLOSE_MS = 3_000;
/** A start does not wait longer for a log that may be late. */
const CHECK_MS = 1_000;
/** A look at how far behind the copy is takes no longer. */
const ASK_MS = 4_000;
/** What is behind is counted up to here: an exact figure of a long outage would cost a scan. */
const MAX_COUNTED = 100_000;

/** The copy with its end. */
export interface ClosableCopy extends AuditCopy {
  /** Before the store of the runs is closed, and after its last write. */
  close(): Promise<void>;
}

/** Makes the copy of a store, over its log. */
export type OpenAuditCopy = (source: LogSource) => ClosableCopy;

export interface CopierDeps {
  readonly source: LogSource;
  readonly target: LogTarget;
  readonly log: Log;
  readonly pacing: Pacing;
}

/**
 * Copies the log of the runs to the database of `storage.audit`. Any number of processes may do so
 * at once.
 */
export class Copier implements ClosableCopy {
  readonly #deps: CopierDeps;
  readonly #stop = new AbortController();
  #loop: Promise<void> | null = null;
  /** Everything up to here is there, as far as this process knows. */
  #mark: number | null = null;
  /** Why the last try failed; null = it did not. */
  #outage: string | null = null;
  #isClosed = false;

  constructor(deps: CopierDeps) {
    this.#deps = deps;
  }

  get location(): string {
    return this.#deps.target.location;
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  async check(): Promise<void> {
    const { source, target } = this.#deps;
    const asked = await this.#within(CHECK_MS, target.mark(source.identity));
    if (asked.kind === 'failed' && !target.isPassing(asked.error)) throw asked.error;
  }

  async lag(): Promise<AuditLag> {
    const { source, target } = this.#deps;
    if (this.#loop === null) {
      const asked = await this.#within(ASK_MS, target.mark(source.identity));
      if (asked.kind === 'done') this.#found(asked.value);
      else
        this.#outage = asked.kind === 'late' ? `it did not answer within ${ASK_MS / 1000} s` : messageOf(asked.error);
    }
    if (this.#mark === null) return { events: null, seconds: null, error: this.#outage };
    try {
      const { events, oldest, now } = await source.behind(this.#mark, MAX_COUNTED);
      const seconds = oldest === null ? 0 : Math.max(0, (Date.parse(now) - Date.parse(oldest)) / 1000);
      return { events, seconds, error: this.#outage };
    } catch (error) {
      return { events: null, seconds: null, error: messageOf(error) };
    }
  }

  /**
   * Copies what is left for a few seconds, and says what could not be. The store of the runs is
   * still open.
   */
  async close(): Promise<void> {
    const { target, log } = this.#deps;
    this.#stop.abort('close');
    if (this.#loop !== null) {
      await this.#within(
        CLOSE_MS,
        this.#loop.then(() => this.#rest()),
      );
      const { events, error } = await this.lag();
      if (events !== 0) {
        const what =
          events === null ? 'events of this process may be' : `${events} event${events === 1 ? ' is' : 's are'}`;
        log.warn(
          `${what} still to be copied to storage.audit; nothing is lost, and the next kit process here copies them`,
          {
            audit: this.location,
            ...(error === null ? {} : { error }),
          },
        );
      }
    }
    this.#isClosed = true;
    await target.close();
  }

  async #run(): Promise<void> {
    const { source, pacing } = this.#deps;
    const { signal } = this.#stop;
    let failures = 0;
    while (!signal.aborted) {
      await source.waitForChange(POLL_MS, signal);
      const pauseMs = await this.#round();
      failures = pauseMs === null ? failures + 1 : 0;
      const backoffMs = growingDelayMs(failures, BACKOFF, pacing.random());
      await pacing.sleep(pauseMs ?? backoffMs, signal).catch(() => undefined);
    }
  }

  /**
   * Copies page after page until nothing is left. How long to leave the database alone now; null =
   * it could not be reached.
   */
  async #round(): Promise<number | null> {
    const { source, target } = this.#deps;
    try {
      for (;;) {
        const step = await target.copy(source);
        if (step.kind === 'busy') {
          this.#found(await target.mark(source.identity));
          return OTHERS_MS;
        }
        if (step.kind === 'unread') return POLL_MS;
        this.#found(step.mark);
        if (!step.hasMore || this.#stop.signal.aborted) return SETTLE_MS;
      }
    } catch (error) {
      this.#failed(error);
      return null;
    }
  }

  /** The last tries of a process that ends: another one that copies is waited for. */
  async #rest(): Promise<void> {
    const { source, target, pacing } = this.#deps;
    const untilMs = pacing.nowMs() + CLOSE_MS;
    while (pacing.nowMs() < untilMs) {
      try {
        const step = await target.copy(source);
        if (step.kind === 'copied') {
          this.#found(step.mark);
          if (!step.hasMore) return;
        } else await pacing.sleep(SETTLE_MS);
      } catch (error) {
        this.#failed(error);
        return;
      }
    }
  }

  #found(mark: number): void {
    if (this.#outage !== null && this.#loop !== null)
      this.#deps.log.warn('the log is copied to storage.audit again', { audit: this.location });
    this.#outage = null;
    this.#mark = mark;
  }

  /** One line an outage. */
  #failed(error: unknown): void {
    const why = messageOf(error);
    if (this.#outage === null && !this.#isClosed) {
      this.#deps.log.warn('the log cannot be copied to storage.audit now; its events wait in the store of the runs', {
        audit: this.location,
        error: why,
      });
    }
    this.#outage = why;
  }

  async #within<T>(ms: number, work: Promise<T>): Promise<Timed<T>> {
    const over = new AbortController();
    const late = this.#deps.pacing.sleep(ms, over.signal).then(
      (): Timed<T> => ({ kind: 'late' }),
      (): Timed<T> => ({ kind: 'late' }),
    );
    const done = work.then(
      (value): Timed<T> => ({ kind: 'done', value }),
      (error: unknown): Timed<T> => ({ kind: 'failed', error }),
    );
    const first = await Promise.race([done, late]);
    over.abort('over');
    return first;
  }
}

type Timed<T> =
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'failed'; readonly error: unknown }
  | { readonly kind: 'late' };
