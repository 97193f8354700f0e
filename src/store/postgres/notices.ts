import type { Pacing } from '../pacing.js';
import type { Connections, OwnConnection } from './connections.js';
import { listenOf, notifyOf } from './sql/session.js';
import type { Writer } from './writer.js';

/** At most one notice per process and this time (journal.md 7.3). */
const NOTICE_MS = 20;
/** How long a connection that broke is left alone. */
const RETRY_MS = 1_000;

export interface NoticesDeps {
  readonly connections: Connections;
  /** A connection that is open anyway and in no transaction once all writes are done. */
  readonly writer: Writer;
  readonly pacing: Pick<Pacing, 'nowMs'>;
  /** Of this store alone. */
  readonly channel: string;
  /** Another process has committed. */
  readonly onNotice: () => void;
}

/**
 * Tells other processes that something was committed, and hears of theirs: on a connection of its own, outside every transaction
 * of a run, because NOTIFY inside one costs most of the rate. A notice may be lost; polling stands behind it.
 */
export class Notices {
  readonly #deps: NoticesDeps;
  #connection: Promise<OwnConnection | null> | null = null;
  #timer: NodeJS.Timeout | null = null;
  #sentAtMs = Number.NEGATIVE_INFINITY;
  #isListening = false;
  #isClosed = false;
  /** One statement after the other. */
  #last: Promise<void> = Promise.resolve();

  constructor(deps: NoticesDeps) {
    this.#deps = deps;
  }

  /** After a commit: at once after a quiet time, so that others see it at once. Does not wait and does not throw. */
  send(): void {
    if (this.#isClosed || this.#timer !== null) return;
    const restMs = NOTICE_MS - (this.#deps.pacing.nowMs() - this.#sentAtMs);
    if (restMs <= 0) void this.#flush();
    else this.#timer = setTimeout(() => void this.#flush(), restMs);
  }

  listen(): void {
    if (this.#isListening || this.#isClosed) return;
    this.#isListening = true;
    void this.#say(listenOf(this.#deps.channel));
  }

  /** Sends the notice that is still due; a process that has only written needs no connection more for it. All writes are done. */
  async close(): Promise<void> {
    this.#isClosed = true;
    const isDue = this.#timer !== null;
    if (this.#timer !== null) clearTimeout(this.#timer);
    await this.#last;
    const connection = await this.#connection;
    const sql = connection?.sql ?? (isDue ? await this.#deps.writer.sql().catch(() => null) : null);
    if (isDue) await sql?.exec(notifyOf(this.#deps.channel)).catch(() => undefined);
    await connection?.close();
  }

  async #flush(): Promise<void> {
    this.#timer = null;
    this.#sentAtMs = this.#deps.pacing.nowMs();
    await this.#say(notifyOf(this.#deps.channel));
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
        connection.client.on('notification', () => this.#deps.onNotice());
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

  /** The next commit opens another one; who listened listens again, also in the middle of a long wait. */
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
