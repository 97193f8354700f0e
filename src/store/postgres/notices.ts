import type { Pacing } from '../pacing.js';
import type { Connections, OwnConnection } from './connections.js';
import { listenOf, NOTHING_TO_LOSE, notifyOf, notifyUnsyncedOf } from './sql/session.js';
import type { Writer } from './writer.js';

/** At most one notice of a kind per process and this time (docs/design/journal.md#notices). */
const NOTICE_MS = 20;
/** How long a connection that broke is left alone. */
const RETRY_MS = 1_000;

/**
 * What a commit tells others: `work`, that jobs may be claimable which were not; `log`, that it
 * wrote something else. A busy fleet's commits are nearly all of the second kind, and no reason to
 * look at the queue.
 */
export type Notice = 'work' | 'log';

/**
 * What NOTIFY carries. A notice without words is the stronger one, as from builds that know one
 * kind.
 */
const PAYLOADS: Readonly<Record<Notice, string>> = { work: '', log: 'log' };
const noticeOf = (payload: string | undefined): Notice => (payload === PAYLOADS.log ? 'log' : 'work');

export interface NoticesDeps {
  readonly connections: Connections;
  /** A connection that is open anyway and in no transaction once all writes are done. */
  readonly writer: Writer;
  readonly pacing: Pick<Pacing, 'nowMs'>;
  /** Of this store alone. */
  readonly channel: string;
  /** Another process has committed. */
  readonly onNotice: (notice: Notice) => void;
}

/**
 * Tells other processes that something was committed, and hears of theirs: on a connection of its
 * own, outside every transaction of a run, because NOTIFY inside one costs most of the rate. A
 * notice may be lost; polling stands behind it.
 */
export class Notices {
  readonly #deps: NoticesDeps;
  #connection: Promise<OwnConnection | null> | null = null;
  readonly #due = new Map<Notice, NodeJS.Timeout>();
  readonly #sentAtMs: Record<Notice, number> = { work: Number.NEGATIVE_INFINITY, log: Number.NEGATIVE_INFINITY };
  #isListening = false;
  #isClosed = false;
  /** One statement after the other. */
  #last: Promise<void> = Promise.resolve();

  constructor(deps: NoticesDeps) {
    this.#deps = deps;
  }

  /**
   * After a commit: at once after a quiet time, so that others see it at once. Does not wait and
   * does not throw.
   */
  send(notice: Notice): void {
    if (this.#isClosed || this.#isSeenTo(notice)) return;
    const restMs = this.#restMsOf(notice);
    if (restMs <= 0) void this.#flush(notice);
    else
      this.#due.set(
        notice,
        setTimeout(() => void this.#flush(notice), restMs),
      );
  }

  /**
   * What whoever commits now sends behind it, in a transaction of its own, where a notice is due at
   * once; null otherwise. Others hear of it when the commit is made, and not once its answer has
   * come here.
   */
  take(notice: Notice): string | null {
    if (this.#isClosed || this.#isSeenTo(notice) || this.#restMsOf(notice) > 0) return null;
    this.#note(notice);
    return notifyUnsyncedOf(this.#deps.channel, PAYLOADS[notice]);
  }

  listen(): void {
    if (this.#isListening || this.#isClosed) return;
    this.#isListening = true;
    void this.#say(listenOf(this.#deps.channel));
  }

  /**
   * Sends the notice that is still due; a process that has only written needs no connection more
   * for it. All writes are done.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    const due = this.#strongestDue();
    this.#forgetDue();
    await this.#last;
    const connection = await this.#connection;
    const sql = connection?.sql ?? (due === null ? null : await this.#deps.writer.sql().catch(() => null));
    if (due !== null) await sql?.exec(this.#wordsOf(due)).catch(() => undefined);
    await connection?.close();
  }

  /** One of work says all that one of the log does. */
  async #flush(notice: Notice): Promise<void> {
    this.#note(notice);
    await this.#say(this.#wordsOf(notice));
  }

  #isSeenTo(notice: Notice): boolean {
    return this.#due.has(notice) || this.#due.has('work');
  }

  #restMsOf(notice: Notice): number {
    return NOTICE_MS - (this.#deps.pacing.nowMs() - this.#sentAtMs[notice]);
  }

  #note(notice: Notice): void {
    const nowMs = this.#deps.pacing.nowMs();
    this.#sentAtMs.log = nowMs;
    if (notice === 'work') {
      this.#sentAtMs.work = nowMs;
      this.#forgetDue();
    }
    this.#due.delete(notice);
  }

  #strongestDue(): Notice | null {
    if (this.#due.has('work')) return 'work';
    return this.#due.has('log') ? 'log' : null;
  }

  #forgetDue(): void {
    for (const timer of this.#due.values()) clearTimeout(timer);
    this.#due.clear();
  }

  #wordsOf(notice: Notice): string {
    return notifyOf(this.#deps.channel, PAYLOADS[notice]);
  }

  #say(sql: string): Promise<void> {
    this.#last = this.#last.then(async () => {
      await (await this.#open())?.sql.exec(sql).catch(() => undefined);
    });
    return this.#last;
  }

  /** null while the server cannot be reached. */
  #open(): Promise<OwnConnection | null> {
    this.#connection ??= this.#deps.connections.open().then(
      (connection) => {
        void connection.sql.exec(NOTHING_TO_LOSE).catch(() => undefined);
        connection.client.on('notification', ({ payload }) => this.#deps.onNotice(noticeOf(payload)));
        connection.client.on('end', () => this.#forget());
        return connection;
      },
      () => {
        this.#forget();
        return null;
      },
    );
    return this.#connection;
  }

  /**
   * The next commit opens another one; who listened listens again, also in the middle of a long
   * wait.
   */
  #forget(): void {
    const again = (): void => {
      const wasListening = this.#isListening;
      this.#connection = null;
      this.#isListening = false;
      if (wasListening) this.listen();
    };
    setTimeout(again, RETRY_MS).unref();
  }
}
