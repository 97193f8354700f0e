import { KitError } from '../../../domain/errors.js';
import type { FaultPoints } from '../../../domain/faults.js';
import type { Ids } from '../../../domain/ports/system.js';
import type { LogSource } from '../../audit/log-source.js';
import type { CopyStep, LogTarget } from '../../audit/log-target.js';
import type { StoreMeta } from '../../store-meta.js';
import { createConnections } from '../connections.js';
import { asUnwritable, isLost, isPassing, sqlState } from '../failures.js';
import { locationOf, type PostgresPlace } from '../location.js';
import { findCopy, migrate } from '../migrate.js';
import { columnsOf } from '../pending-event.js';
import { SCHEMA } from '../schema.js';
import { COPY_EVENTS, COUNT_COPIED, EVENT_AT, TRY_LOCK_COPY } from '../sql/audit.js';
import { READ_META, SET_META } from '../sql/meta.js';
import { BEGIN } from '../sql/session.js';
import type { SqlRunner } from '../sql-runner.js';
import { Writer } from '../writer.js';

/** Events of one commit. */
const PAGE = 256;
const MARK = 'copied_pos';
const UNIQUE_VIOLATION = '23505';

export interface AuditDatabaseOptions {
  readonly place: PostgresPlace;
  readonly ids: Ids;
  readonly faults: FaultPoints;
}

/**
 * The log of some store in a PostgreSQL database of its own: the same schema, of which the events
 * alone are used. It takes over log id and cursor key when it is made and is marked as a copy, so
 * that nobody keeps runs there. One connection, made when it is first needed.
 *
 * What is there is always the log up to one position: a page begins where the last commit ended,
 * and is written whole.
 */
export class AuditDatabase implements LogTarget {
  readonly location: string;
  readonly #options: AuditDatabaseOptions;
  #opened: Promise<{ readonly writer: Writer; readonly end: () => Promise<void> }> | null = null;
  #isReady = false;
  #isClosed = false;
  /** One user of the connection after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(options: AuditDatabaseOptions) {
    this.#options = options;
    this.location = locationOf(options.place);
  }

  mark(identity: StoreMeta): Promise<number> {
    return this.#use(async (sql) => ((await findCopy(sql, identity.logId)) === 'copy' ? markOf(sql) : 0));
  }

  copy(source: LogSource): Promise<CopyStep> {
    return this.#use(async (sql) => {
      await this.#prepare(sql, source.identity);
      const mark = await markOf(sql);
      const slice = await source.slice(mark, PAGE).catch(() => null);
      if (slice === null) return { kind: 'unread' };
      const { last, records } = slice;
      const end = records.at(-1);
      if (end === undefined) return { kind: 'copied', mark, events: 0, hasMore: false };
      await sql.exec(BEGIN);
      // Another process has been here since the mark was read, or is: what it writes is not written
      // again.
      if ((await sql.get<{ held: boolean }>(TRY_LOCK_COPY))?.held !== true || (await markOf(sql)) !== mark) {
        await sql.exec('ROLLBACK');
        return { kind: 'busy' };
      }
      const there = last === null ? undefined : await sql.get<{ hash: string }>(EVENT_AT, { pos: last.pos });
      if (last !== null && there?.hash !== last.hash) throw this.#diverged(last.pos);
      const columns = columnsOf(records);
      const written = await sql.run(COPY_EVENTS, columns).catch((error: unknown) => {
        throw sqlState(error) === UNIQUE_VIOLATION ? this.#diverged(mark) : error;
      });
      if (
        written !== records.length &&
        (await sql.get<{ there: number }>(COUNT_COPIED, columns))?.there !== records.length
      )
        throw this.#diverged(mark);
      await sql.run(SET_META, { key: MARK, value: String(end.pos) });
      this.#options.faults.hit('audit.copy:before');
      await sql.exec('COMMIT');
      this.#options.faults.hit('audit.copy:after');
      return { kind: 'copied', mark: end.pos, events: records.length, hasMore: records.length === PAGE };
    });
  }

  isPassing(error: unknown): boolean {
    return isPassing(error);
  }

  /**
   * What is under way is cut off; a connection that is still being made is closed when it is there.
   */
  async close(): Promise<void> {
    this.#isClosed = true;
    const opened = await this.#opened?.catch(() => null);
    void this.#last.then(() => opened?.writer.close());
    await opened?.end();
  }

  /**
   * Once a process: makes the schema where there is none, and refuses a database that holds
   * anything but this copy.
   */
  async #prepare(sql: SqlRunner, identity: StoreMeta): Promise<void> {
    if (this.#isReady) return;
    await findCopy(sql, identity.logId);
    await migrate({ sql, faults: this.#options.faults, ids: this.#options.ids, schema: SCHEMA, copyOf: identity });
    this.#isReady = true;
  }

  #use<T>(work: (sql: SqlRunner) => Promise<T>): Promise<T> {
    const done = this.#last.then(() => this.#once(work));
    this.#last = done.catch(() => undefined);
    return done;
  }

  /** A commit whose answer was lost needs no question: the next try reads what is there. */
  async #once<T>(work: (sql: SqlRunner) => Promise<T>): Promise<T> {
    if (this.#isClosed) throw new Error('the audit database is closed');
    this.#opened ??= open(this.#options.place);
    const { writer } = await this.#opened;
    const sql = await writer.sql();
    try {
      return await work(sql);
    } catch (error) {
      if (isLost(error)) writer.discard();
      else await sql.exec('ROLLBACK').catch(() => writer.discard());
      throw asUnwritable(error);
    }
  }

  /**
   * Two histories under one id: the store of the runs was set back to an earlier state, or somebody
   * wrote here.
   */
  #diverged(pos: number): KitError {
    return new KitError(
      'KIT_STORE_UNAVAILABLE',
      `the log at ${this.location} and that of the runs differ after position ${pos}: one of them was restored to an earlier state or changed`,
      {
        hint: 'Keep that database as the record of what was, and name an empty one in storage.audit.url: the whole log is copied there.',
      },
    );
  }
}

async function open(place: PostgresPlace) {
  const connections = await createConnections({ place, poolSize: 1, maxConnections: 1 });
  const writer = new Writer(connections);
  return {
    writer,
    end: async () => {
      await writer.close();
      await connections.close();
    },
  };
}

const markOf = async (sql: SqlRunner): Promise<number> =>
  Number((await sql.get<{ value: string }>(READ_META, { key: MARK }))?.value ?? 0);
