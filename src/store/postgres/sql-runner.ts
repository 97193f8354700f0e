import type { ClientBase, QueryConfig } from 'pg';
import { encodeList } from './encode-list.js';
import { fromStoredText, toStoredText } from './text-codec.js';

export type SqlValue = string | number | boolean | Uint8Array | readonly (string | number | null)[] | null;
export type SqlParams = Readonly<Record<string, SqlValue>>;

/** A statement that goes out with COMMIT. */
export interface LastStatement {
  readonly sql: string;
  readonly params: SqlParams;
  /** Gets the rows, which are as for `all`; they count once all is committed. */
  readonly onRows?: (rows: readonly unknown[]) => void;
}

/**
 * Named statements on one connection: the same `@name` parameters as in the other dialect, prepared
 * once a connection.
 */
export interface SqlRunner {
  /** Number of rows changed. */
  run(sql: string, params?: SqlParams): Promise<number>;
  /** Rows have the columns that the statement names; `Row` is the caller's word for them. */
  get<Row>(sql: string, params?: SqlParams): Promise<Row | undefined>;
  all<Row>(sql: string, params?: SqlParams): Promise<readonly Row[]>;
  /**
   * Sends these and COMMIT without waiting in between. After one that fails the server takes COMMIT
   * for ROLLBACK. Tells what was answered, and throws what failed first; where a parameter is
   * missing, before anything is sent. `behind`: text of a transaction of its own that goes out with
   * them; nobody hears what becomes of it.
   */
  commit(statements: readonly LastStatement[], behind: string | null): Promise<void>;
  /**
   * Text without parameters; several statements, with the rows of the last. `answerMs`: how long
   * they may take, where it is longer than usual.
   */
  exec<Row>(sql: string, answerMs?: number): Promise<readonly Row[]>;
}

interface Statement {
  readonly name: string;
  readonly text: string;
  readonly params: readonly string[];
}

/**
 * Names of prepared statements by their text: the texts are constants, so there are as many as
 * there are statements.
 */
export type StatementNames = Map<string, Statement>;

type Queryable = Pick<ClientBase, 'query'>;

export function createSqlRunner(client: Queryable, names: StatementNames): SqlRunner {
  const configOf = (sql: string, params: SqlParams): QueryConfig => {
    const { name, text, params: order } = statementOf(names, sql);
    return { name, text, values: order.map((param) => encode(params[param])) };
  };
  const query = async (sql: string, params: SqlParams = {}) => client.query(configOf(sql, params));
  // The casts stand here once for all rows: the statement names its columns, and the migration
  // their types.
  const rowsOf = async <Row>(sql: string, params?: SqlParams): Promise<readonly Row[]> =>
    (await query(sql, params)).rows.map(decode) as Row[];
  return {
    run: async (sql, params) => (await query(sql, params)).rowCount ?? 0,
    get: async <Row>(sql: string, params?: SqlParams) => (await rowsOf<Row>(sql, params))[0],
    all: rowsOf,
    commit: async (statements, behind) => {
      const configs = statements.map(({ sql, params }) => configOf(sql, params));
      const sent = configs.map(async (config) => client.query(config));
      const answered = Promise.allSettled([...sent, client.query('COMMIT')]);
      if (behind !== null) client.query(behind).catch(() => undefined);
      const answers = await answered;
      for (const [index, answer] of answers.entries())
        if (answer.status === 'fulfilled') statements[index]?.onRows?.(answer.value.rows.map(decode));
      for (const answer of answers) if (answer.status === 'rejected') throw answer.reason;
    },
    exec: async <Row>(sql: string, answerMs?: number) => {
      // Of several statements pg returns a list of results, and a query may have a limit of its
      // own: neither is in its types.
      const patient: QueryConfig & { readonly query_timeout?: number | undefined } = {
        text: sql,
        query_timeout: answerMs,
      };
      const result: unknown = await client.query(answerMs === undefined ? sql : patient);
      const last = Array.isArray(result) ? result.at(-1) : result;
      return (last as { readonly rows: readonly Row[] }).rows;
    },
  };
}

function statementOf(names: StatementNames, sql: string): Statement {
  const known = names.get(sql);
  if (known !== undefined) return known;
  const params: string[] = [];
  const text = sql.replace(/@(\w+)/g, (_, name: string) => {
    if (!params.includes(name)) params.push(name);
    return `$${params.indexOf(name) + 1}`;
  });
  const statement = { name: `kit_${names.size + 1}`, text, params };
  names.set(sql, statement);
  return statement;
}

function encode(value: SqlValue | undefined): unknown {
  if (value === undefined) throw new Error('a parameter of a statement was not given');
  if (typeof value === 'string') return toStoredText(value);
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  if (value === null || typeof value !== 'object') return value;
  return encodeList(value);
}

/** In place: the driver makes each row for whoever asked. */
function decode(row: Record<string, unknown>): Readonly<Record<string, unknown>> {
  for (const column of Object.keys(row)) {
    const value = row[column];
    if (typeof value === 'string') row[column] = fromStoredText(value);
  }
  return row;
}
