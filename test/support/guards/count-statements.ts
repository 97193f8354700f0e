import Database from 'better-sqlite3';
import pg from 'pg';

/** What the drivers of this process were asked while somebody counted. */
export interface Counted {
  /** Statements that change rows, by what they do to which table: `insert events`. */
  readonly writes: Readonly<Record<string, number>>;
  /** Transactions that changed something, and were committed. */
  readonly commits: number;
  /** All other statements, but for those that begin and end transactions and those aside. */
  readonly reads: number;
}

/** Counts statements of every connection of a driver until `stop`. */
export interface Counter {
  /** What was counted since the last time it was asked. */
  take(): Counted;
  /** Statements that were sent and have no answer yet. */
  inFlight(): number;
  /** How often a connection that waited for nothing was sent something, since it was last asked. */
  roundTrips(): number;
  stop(): void;
}

const WRITE = /\b(insert)\s+into\s+(\w+)|\b(delete)\s+from\s+(\w+)|\b(update)\s+(\w+)\s+set\b/i;
const TRANSACTION = /^\s*(begin|commit|rollback|savepoint|release)\b/i;
/** Sets a connection up, or tells other processes of a commit: nobody waits for it. */
const ASIDE = /^\s*(?:select\s+(?:set_config|pg_notify)|listen)\b/i;

/**
 * The text of what a client of pg is asked by its first argument; null = it is aside: it comes when
 * the notices find time for it, in whatever is measured then, and nobody waits for its answer.
 */
export function awaitedText(asked: unknown): string | null {
  // pg takes a text, or a query that holds one.
  const text = typeof asked === 'string' ? asked : (asked as pg.QueryConfig).text;
  return ASIDE.test(text) ? null : text;
}

function createTally() {
  let [commits, reads, isDirty] = [0, 0, false];
  let writes: Record<string, number> = {};
  return {
    add(sql: string): void {
      const word = TRANSACTION.exec(sql)?.[1]?.toLowerCase();
      if (word !== undefined) {
        if (word === 'commit' && isDirty) commits += 1;
        if (word === 'begin' || word === 'commit') isDirty = false;
        return;
      }
      const found = WRITE.exec(sql)?.filter((part) => part !== undefined);
      if (found === undefined) {
        reads += 1;
        return;
      }
      const name = `${found[1]} ${found[2]}`.toLowerCase();
      writes[name] = (writes[name] ?? 0) + 1;
      isDirty = true;
    },
    take(): Counted {
      const counted = { writes, commits, reads };
      [writes, commits, reads] = [{}, 0, 0];
      return counted;
    },
  };
}

/** better-sqlite3: each execution of a prepared statement, and each `exec`. */
export function countSqlite(): Counter {
  const tally = createTally();
  const { prepare, exec } = Database.prototype;
  Database.prototype.prepare = function (this: Database.Database, sql: string) {
    const statement = prepare.call(this, sql);
    for (const name of ['run', 'get', 'all'] as const) {
      const execute = statement[name].bind(statement) as (...values: unknown[]) => unknown;
      Object.defineProperty(statement, name, {
        value: (...values: unknown[]) => {
          tally.add(sql);
          return execute(...values);
        },
      });
    }
    return statement;
  } as typeof prepare;
  Database.prototype.exec = function (this: Database.Database, sql: string) {
    tally.add(sql);
    return exec.call(this, sql);
  };
  const stop = (): void => void Object.assign(Database.prototype, { prepare, exec });
  return { take: tally.take, inFlight: () => 0, roundTrips: () => 0, stop };
}

/** pg: each query of each client. */
export function countPostgres(): Counter {
  const tally = createTally();
  const { query } = pg.Client.prototype;
  let [sent, roundTrips] = [0, 0];
  const unanswered = new WeakMap<pg.Client, number>();
  pg.Client.prototype.query = function (this: pg.Client, ...args: unknown[]) {
    const text = awaitedText(args[0]);
    if (text !== null) tally.add(text);
    const answer: unknown = Reflect.apply(query, this, args);
    if (answer instanceof Promise) {
      sent += 1;
      const [before, one] = [unanswered.get(this) ?? 0, text === null ? 0 : 1];
      if (before === 0) roundTrips += one;
      unanswered.set(this, before + one);
      const answered = (): void => {
        sent -= 1;
        unanswered.set(this, (unanswered.get(this) ?? one) - one);
      };
      answer.then(answered, answered);
    }
    return answer;
  } as typeof query;
  const stop = (): void => void Object.assign(pg.Client.prototype, { query });
  const taken = (): number => {
    const count = roundTrips;
    roundTrips = 0;
    return count;
  };
  return { take: tally.take, inFlight: () => sent, roundTrips: taken, stop };
}
