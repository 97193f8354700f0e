import type Database from 'better-sqlite3';

export type SqlValue = string | number | bigint | Uint8Array | null;
/** A list is bound as JSON text, for `json_each`. */
export type SqlParams = Readonly<Record<string, SqlValue | readonly string[]>>;

/** One connection's prepared statements by their text: each named statement is compiled once. */
export interface SqlRunner {
  /** Number of rows changed. */
  run(sql: string, params: SqlParams): number;
  /**
   * `run` with the values in the order in which the statement names them: for what each step does.
   */
  runInOrder(sql: string, values: readonly SqlValue[]): number;
  /** The new row's number; null when the row was not inserted. */
  insert(sql: string, params: SqlParams): number | null;
  /**
   * `insert` with the values in the order in which the statement names them: for the hottest
   * statement, which has many.
   */
  insertInOrder(sql: string, values: readonly SqlValue[]): number | null;
  /** Rows have the columns that the statement names; `Row` is the caller's word for them. */
  get<Row>(sql: string, params: SqlParams): Row | undefined;
  all<Row>(sql: string, params: SqlParams): readonly Row[];
  /** One row after the other, all of them before the next statement; for more than memory holds. */
  iterate<Row>(sql: string, params: SqlParams): Iterable<Row>;
  /** Text without parameters or result: DDL, BEGIN, COMMIT. */
  exec(sql: string): void;
  pragma(text: string): unknown;
}

/** A compiled statement and the names of its parameters, in the order of their places. */
interface Prepared {
  readonly statement: Database.Statement<SqlValue[]>;
  readonly names: readonly string[];
}

/** `@name`; no text in our statements holds an @. */
const PARAMETER = /@(\w+)/g;

export function createSqlRunner(db: Database.Database): SqlRunner {
  const statements = new Map<string, Prepared>();
  const prepared = (sql: string): Prepared => {
    let known = statements.get(sql);
    if (known === undefined) {
      const names = [...sql.matchAll(PARAMETER)].map(([, name = '']) => name);
      known = { statement: db.prepare<SqlValue[]>(sql.replaceAll(PARAMETER, '?')), names };
      statements.set(sql, known);
    }
    return known;
  };
  return {
    run: (sql, params) => {
      const { statement, names } = prepared(sql);
      return statement.run(...valuesOf(names, params)).changes;
    },
    runInOrder: (sql, values) => prepared(sql).statement.run(...values).changes,
    insert: (sql, params) => {
      const { statement, names } = prepared(sql);
      return rowOf(statement.run(...valuesOf(names, params)));
    },
    insertInOrder: (sql, values) => rowOf(prepared(sql).statement.run(...values)),
    // The casts stand here once for all rows: the schema is STRICT, and the statement names its
    // columns.
    get: <Row>(sql: string, params: SqlParams) => {
      const { statement, names } = prepared(sql);
      return statement.get(...valuesOf(names, params)) as Row | undefined;
    },
    all: <Row>(sql: string, params: SqlParams) => {
      const { statement, names } = prepared(sql);
      return statement.all(...valuesOf(names, params)) as readonly Row[];
    },
    iterate: <Row>(sql: string, params: SqlParams) => {
      const { statement, names } = prepared(sql);
      return statement.iterate(...valuesOf(names, params)) as Iterable<Row>;
    },
    exec: (sql) => {
      db.exec(sql);
    },
    pragma: (text) => db.pragma(text, { simple: true }),
  };
}

const rowOf = ({ changes, lastInsertRowid }: Database.RunResult): number | null =>
  changes === 0 ? null : Number(lastInsertRowid);

/** Bound by place: better-sqlite3 would look up each name again for each row. */
function valuesOf(names: readonly string[], params: SqlParams): SqlValue[] {
  return names.map((name) => {
    const value = params[name];
    if (value === undefined) throw new Error(`the statement has a parameter @${name}, and no value was given for it`);
    return isList(value) ? JSON.stringify(value) : value;
  });
}

const isList = (value: SqlValue | readonly string[]): value is readonly string[] => Array.isArray(value);
