import type Database from 'better-sqlite3';

export type SqlValue = string | number | bigint | Uint8Array | null;
export type SqlParams = Readonly<Record<string, SqlValue>>;

/** One connection's prepared statements by their text: each named statement is compiled once. */
export interface SqlRunner {
  /** Number of rows changed. */
  run(sql: string, params: SqlParams): number;
  /** The new row's number; null when the row was not inserted. */
  insert(sql: string, params: SqlParams): number | null;
  /** Rows have the columns that the statement names; `Row` is the caller's word for them. */
  get<Row>(sql: string, params: SqlParams): Row | undefined;
  all<Row>(sql: string, params: SqlParams): readonly Row[];
  /** Text without parameters or result: DDL, BEGIN, COMMIT. */
  exec(sql: string): void;
  pragma(text: string): unknown;
}

export function createSqlRunner(db: Database.Database): SqlRunner {
  const statements = new Map<string, Database.Statement<[SqlParams]>>();
  const prepared = (sql: string): Database.Statement<[SqlParams]> => {
    let statement = statements.get(sql);
    if (statement === undefined) {
      statement = db.prepare<[SqlParams]>(sql);
      statements.set(sql, statement);
    }
    return statement;
  };
  return {
    run: (sql, params) => prepared(sql).run(params).changes,
    insert: (sql, params) => {
      const { changes, lastInsertRowid } = prepared(sql).run(params);
      return changes === 0 ? null : Number(lastInsertRowid);
    },
    // The casts stand here once for all rows: the schema is STRICT, and the statement names its columns.
    get: <Row>(sql: string, params: SqlParams) => prepared(sql).get(params) as Row | undefined,
    all: <Row>(sql: string, params: SqlParams) => prepared(sql).all(params) as readonly Row[],
    exec: (sql) => {
      db.exec(sql);
    },
    pragma: (text) => db.pragma(text, { simple: true }),
  };
}
