import type { FaultPoints } from '../../domain/faults.js';
import type { Soon } from '../../lib/soon.js';
import type { DurableWrite } from '../fault-points.js';
import type { Pacing } from '../pacing.js';
import { isLost, outcomeUnknown, sqlState } from './failures.js';
import { NotTogether } from './not-together.js';
import { isSameEra, type ServerEra } from './server-era.js';
import { TRANSACTION_STATUS } from './sql/session.js';
import type { SqlRunner } from './sql-runner.js';
import { Transaction } from './transaction.js';
import type { TransactionParts } from './transaction-parts.js';
import type { Writer, WritingConnection } from './writer.js';

export type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };

/** `undone`: nothing was written, and the same may be tried again. */
export type Attempt =
  | { readonly kind: 'settled'; readonly outcomes: readonly Outcome[] }
  | { readonly kind: 'undone'; readonly error: unknown };

type Deps = WriteQueueDeps;
type Requests = readonly WriteRequest<unknown>[];

const STATUS_PAUSE_MS = 50;

/** One transaction for all requests: locks, work, what is held, COMMIT. Does not throw. */
export async function attemptGroup(deps: Deps, requests: Requests, singly = false): Promise<Attempt> {
  let writer: WritingConnection;
  try {
    writer = await deps.writer.connection();
  } catch (error) {
    return { kind: 'undone', error };
  }
  const { sql, era, logs } = writer;
  let begun: Begun;
  try {
    begun = await workOn(sql, { requests, singly, logId: deps.logId, logs });
    for (const name of namesOf(requests, begun.outcomes)) deps.faults.hit(`${name}:before`);
  } catch (error) {
    await rollBack(deps, { sql, error });
    return error instanceof NotTogether && !singly ? attemptGroup(deps, requests, true) : { kind: 'undone', error };
  }
  const failure = await commit(deps, { sql, era, logs, tx: begun.tx });
  if (failure !== null) {
    if (failure.error instanceof NotTogether && !singly) return attemptGroup(deps, requests, true);
    return failure.isUndone ? { kind: 'undone', error: failure.error } : allFailed(requests, failure.error);
  }
  try {
    for (const name of namesOf(requests, begun.outcomes)) deps.faults.hit(`${name}:after`);
  } catch (error) {
    return allFailed(requests, error);
  }
  return { kind: 'settled', outcomes: begun.outcomes };
}

interface Begun {
  readonly tx: Transaction;
  readonly outcomes: readonly Outcome[];
}

const allFailed = (requests: Requests, error: unknown): Attempt => ({
  kind: 'settled',
  outcomes: requests.map(() => ({ ok: false, error })),
});

const namesOf = (requests: Requests, outcomes: readonly Outcome[]) =>
  requests.flatMap((request, index) => (outcomes[index]?.ok === true ? request.writes : []));

/** What each request asks. Throws NotTogether. */
async function workOn(
  sql: SqlRunner,
  of: { readonly requests: Requests } & Pick<TransactionParts, 'singly' | 'logId' | 'logs'>,
): Promise<Begun> {
  const jobIds = [...new Set(of.requests.flatMap((request) => request.jobs))];
  const locksQueue = of.requests.some(({ admits }) => admits === true);
  const { singly, logId, logs } = of;
  const tx = await Transaction.begin({ sql, logs, jobIds, locksQueue, singly, logId });
  const outcomes: Outcome[] = [];
  const refused = new Map<string, Outcome>();
  for (const request of of.requests) {
    const { queue } = request;
    const known = (queue === undefined ? undefined : refused.get(queue)) ?? outcomeOf(tx, request);
    const outcome = known instanceof Promise ? await known : known;
    if (queue !== undefined && !outcome.ok) refused.set(queue, outcome);
    outcomes.push(outcome);
  }
  return { tx, outcomes };
}

/**
 * A refusal that came before anything was changed stands beside its neighbours' writes. Throws for
 * anything else: then all is undone.
 */
function outcomeOf(tx: Transaction, request: WriteRequest<unknown>): Soon<Outcome> {
  const before = tx.writes;
  const refused = (error: unknown): Outcome => {
    if (tx.writes > before || error instanceof NotTogether || sqlState(error) !== null || isLost(error)) throw error;
    return { ok: false, error };
  };
  try {
    const value = request.work(tx);
    return value instanceof Promise ? value.then(done, refused) : done(value);
  } catch (error) {
    return refused(error);
  }
}

const done = (value: unknown): Outcome => ({ ok: true, value });

async function rollBack(
  { writer }: Deps,
  { sql, error }: { readonly sql: SqlRunner; readonly error: unknown },
): Promise<void> {
  if (isLost(error)) {
    writer.discard();
    return;
  }
  await sql.exec('ROLLBACK').catch(() => writer.discard());
}

/**
 * null = committed. A connection that breaks now leaves the outcome open: the server is asked what
 * became of the transaction.
 */
async function commit(
  deps: Deps,
  { sql, era, tx }: WritingConnection & { readonly tx: Transaction },
): Promise<{ readonly isUndone: boolean; readonly error: unknown } | null> {
  try {
    await tx.commit();
    return null;
  } catch (error) {
    if (!isLost(error)) {
      await rollBack(deps, { sql, error });
      return { isUndone: true, error };
    }
    deps.writer.discard();
    const status = await statusOf(deps, { xid: tx.xid, era });
    if (status === 'committed' && (await isReadAgain(deps, tx))) return null;
    return status === 'aborted' ? { isUndone: true, error } : { isUndone: false, error: outcomeUnknown(error) };
  }
}

/** False: the server went away once more. */
async function isReadAgain({ writer }: Deps, tx: Transaction): Promise<boolean> {
  try {
    await tx.readAgain(await writer.sql());
    return true;
  } catch {
    writer.discard();
    return false;
  }
}

/**
 * Asked on a new connection until the server has decided; `unknown` when it cannot be reached or no
 * longer knows. A server that lost its memory since hands out again the numbers of transactions of
 * which nothing was on its disk: what it then says of a committed one may be said of another
 * (docs/design/journal.md#commit-in-flight).
 */
async function statusOf(
  { writer, pacing, busyLimitMs }: Deps,
  { xid, era }: { readonly xid: string; readonly era: ServerEra },
): Promise<'committed' | 'aborted' | 'unknown'> {
  const untilMs = pacing.nowMs() + busyLimitMs;
  for (;;) {
    try {
      const now = await writer.connection();
      const row = await now.sql.get<{ status: string | null }>(TRANSACTION_STATUS, { xid });
      if (row?.status === 'committed') return isSameEra(era, now.era) ? 'committed' : 'unknown';
      if (row?.status === 'aborted') return 'aborted';
      if (row === undefined || row.status === null) return 'unknown';
    } catch (error) {
      // A server that was restored to an earlier time does not know the number.
      if (!isLost(error) && sqlState(error) !== null) return 'unknown';
      writer.discard();
    }
    if (pacing.nowMs() > untilMs) return 'unknown';
    await pacing.sleep(STATUS_PAUSE_MS);
  }
}

export interface WriteQueueDeps {
  readonly writer: Writer;
  /** See `TransactionParts`. */
  readonly logId: string;
  readonly faults: FaultPoints;
  readonly pacing: Pacing;
  /** `isWork`: jobs may be claimable that were not before. */
  readonly onCommit: (isWork: boolean) => void;
  /** How long passing trouble is waited for. */
  readonly busyLimitMs: number;
}

export interface WriteRequest<T> {
  readonly writes: readonly DurableWrite[];
  /** Jobs whose rows are to be locked before anything else. */
  readonly jobs: readonly string[];
  /** The runs that wait are to be counted: nobody else may add to them before the commit. */
  readonly admits?: boolean;
  /**
   * Its place among those that share its commit. `first`: it reads, and nothing that others hold
   * back until the end of the group is sent on its account. `last`: it changes rows of jobs that
   * it cannot name, and nobody has to look at his own again on its account. Default: between them,
   * as it came.
   */
  readonly place?: 'first' | 'last';
  /**
   * Writes of one queue stand behind each other: after one that is refused, those behind it in the
   * same commit are refused too.
   */
  readonly queue?: string;
  readonly work: Work<T>;
}

/**
 * Work inside the shared transaction. It throws to refuse; it may be run again, so it changes
 * nothing outside.
 */
export type Work<T> = (tx: Transaction) => Soon<T>;
