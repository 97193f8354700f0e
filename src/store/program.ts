import type { RunEvent, StoredEvent } from '../domain/events.js';
import { goThrough, type Soon } from '../lib/soon.js';
import type { EventOwner } from './event-row.js';
import type { DurableWrite } from './fault-points.js';

/** A value of a statement that both dialects take; a list as each of them writes one. */
type Value = string | number | null | readonly string[];

/**
 * One statement of a program. `get` and `all` read rows, and may lock them. The others change some:
 * `run` tells how many, `change` tells the rows, `setJobs` changes what is known of a locked job.
 */
export interface Statement {
  readonly op: 'get' | 'all' | 'run' | 'change' | 'setJobs';
  readonly sql: string;
  readonly params: Readonly<Record<string, Value>>;
}

/** An event that was handed in: it has its position once all is committed. */
export type Appended = () => StoredEvent;

/** Events of one owner, to the end of its chain. */
interface Append {
  readonly op: 'append';
  readonly owner: EventOwner;
  readonly events: readonly RunEvent[];
}

/**
 * Statements with the decisions between them, written once for both dialects: one carries them out
 * at once, the other waits for each.
 */
export type Program<T> = Generator<Statement | Append, T, unknown>;

// The casts stand here once for all rows: the statement names its columns.
export function* get<Row>(sql: string, params: Statement['params']): Program<Row | undefined> {
  return (yield { op: 'get', sql, params }) as Row | undefined;
}

export function* all<Row>(sql: string, params: Statement['params']): Program<readonly Row[]> {
  return (yield { op: 'all', sql, params }) as readonly Row[];
}

/** Number of rows changed. */
export function* run(sql: string, params: Statement['params']): Program<number> {
  return (yield { op: 'run', sql, params }) as number;
}

/** The rows that it has changed, as it names them. */
export function* change<Row>(sql: string, params: Statement['params']): Program<readonly Row[]> {
  return (yield { op: 'change', sql, params }) as readonly Row[];
}

/**
 * `run` of what writes a column of `jobs` that decides about the writes of a run
 * (postgres/locked-jobs.ts).
 */
export function* setJobs(sql: string, params: Statement['params']): Program<number> {
  return (yield { op: 'setJobs', sql, params }) as number;
}

export function* append(owner: EventOwner, events: readonly RunEvent[]): Program<readonly Appended[]> {
  return (yield { op: 'append', owner, events }) as readonly Appended[];
}

type Does = (sql: string, params: Statement['params']) => unknown;

interface Runner {
  readonly get: Does;
  readonly all: Does;
  readonly run?: Does;
  readonly change?: Does;
  readonly setJobs?: Does;
  readonly append?: (owner: EventOwner, events: readonly RunEvent[]) => unknown;
}

/** One that keeps nothing in mind of what is locked takes every change for one of its kind. */
function carryOut(runner: Runner, step: Statement | Append): unknown {
  const { append, run, change = runner.all, setJobs = run } = runner;
  if (step.op === 'append') {
    if (append === undefined) throw new Error('events are appended in a write transaction');
    return append.call(runner, step.owner, step.events);
  }
  const does = { get: runner.get, all: runner.all, run, change, setJobs }[step.op];
  if (does === undefined) throw new Error('a read changes nothing');
  return does.call(runner, step.sql, step.params);
}

/** For a dialect whose statements answer at once. */
export function runNow<T>(runner: Runner, program: Program<T>): T {
  let next = program.next();
  while (next.done !== true) next = program.next(carryOut(runner, next.value));
  return next.value;
}

/** For one whose statements travel. */
export async function runLater<T>(runner: Runner, program: Program<T>): Promise<T> {
  return runSoon(runner, program);
}

/** The same; a program that sends nothing is over at once. */
export const runSoon = <T>(runner: Runner, program: Program<T>): Soon<T> =>
  goThrough(program, (step) => carryOut(runner, step));

/** What the dialects write differently. */
export interface SqlDialect {
  /** The members of a JSON list of texts as rows with the column `value`, to stand after FROM. */
  readonly list: (param: string) => string;
  /**
   * The members of a JSON list of lists as rows, to stand after FROM; `cell` is the text in one
   * place of such a row, whole numbers cast by whoever reads them.
   */
  readonly rows: (param: string) => string;
  readonly cell: (place: number) => string;
  /** After a SELECT whose row is to stay as it is until the commit. */
  readonly lock: string;
  /** After a SELECT of rows that go: one that another transaction holds is passed over. */
  readonly goes: string;
  /** The texts that begin with a parameter come before this one, and none does after it. */
  readonly pastPrefix: (param: string) => string;
}

export const SQLITE_DIALECT: SqlDialect = {
  list: (param) => `json_each(@${param}) AS list`,
  rows: (param) => `json_each(@${param}) AS rows`,
  cell: (place) => `json_extract(rows.value, '$[${place}]')`,
  lock: '',
  goes: '',
  pastPrefix: (param) => `@${param} || char(1114111)`,
};
export const POSTGRES_DIALECT: SqlDialect = {
  list: (param) => `json_array_elements_text(CAST(@${param} AS json)) AS list(value)`,
  rows: (param) => `json_array_elements(CAST(@${param} AS json)) AS rows(value)`,
  cell: (place) => `(rows.value ->> ${place})`,
  lock: 'FOR NO KEY UPDATE',
  goes: 'FOR UPDATE SKIP LOCKED',
  pastPrefix: (param) => `CAST(@${param} AS TEXT) || chr(1114111)`,
};

/** How the programs of a store are carried out by its dialect. */
export interface Programs {
  /** The store's clock, ISO 8601. */
  readonly now: () => Promise<string>;
  /** Outside a transaction: another process may write between two of its statements. */
  readonly read: <T>(program: () => Program<T>) => Promise<T>;
  /** All of its statements see one moment. */
  readonly readAtOnce: <T>(program: () => Program<T>) => Promise<T>;
  /**
   * In one transaction, durable once the promise has resolved. `at` is the store's clock in it,
   * ISO 8601, plus or minus milliseconds. `write` null: no crash of it matters.
   * `jobIds`: whose rows nobody else changes until the commit.
   */
  readonly write: <T>(
    write: DurableWrite | null,
    program: (at: (plusMs?: number) => string) => Program<T>,
    jobIds?: readonly string[],
  ) => Promise<T>;
}
