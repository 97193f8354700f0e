import type { FaultPoints } from '../../domain/faults.js';
import type { Soon } from '../../lib/soon.js';
import { type DurableWrite, makesWork } from '../fault-points.js';
import type { Pacing } from '../pacing.js';
import { begin, presume } from './begin.js';
import { isLost, outcomeUnknown, sqlState } from './failures.js';
import { type CommitMark, type LostCommit, statusOf } from './lost-commit.js';
import { NotTogether } from './not-together.js';
import type { SqlRunner } from './sql-runner.js';
import type { Transaction } from './transaction.js';
import type { TransactionParts, Way } from './transaction-parts.js';
import type { Writer, WritingConnection } from './writer.js';

export type Outcome = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly error: unknown };

/** `undone`: nothing was written, and the same may be tried again. */
export type Attempt =
  | ({ readonly kind: 'settled'; readonly outcomes: readonly Outcome[] } & Committed)
  | { readonly kind: 'undone'; readonly error: unknown };

type Deps = WriteQueueDeps;
type Requests = readonly WriteRequest<unknown>[];

/** One transaction for all requests: locks, work, what is held, COMMIT. Does not throw. */
export async function attemptGroup(deps: Deps, requests: Requests): Promise<Attempt> {
  const isRecognized = requests.some(({ leavesMark }) => leavesMark === true);
  const ways: readonly Way[] =
    isRecognized && requests.every(({ presumes }) => presumes === true) ? ['presumed', 'together'] : ['together'];
  for (const way of ways) {
    const attempt = await attemptIn(deps, requests, way);
    if (attempt.kind !== 'undone' || !(attempt.error instanceof NotTogether)) return attempt;
  }
  return attemptIn(deps, requests, 'singly');
}

async function attemptIn(deps: Deps, requests: Requests, way: Way): Promise<Attempt> {
  let writer: WritingConnection;
  try {
    writer = await deps.writer.connection();
  } catch (error) {
    return { kind: 'undone', error };
  }
  const { sql, era, logs } = writer;
  let begun: Begun;
  try {
    begun = await workOn(sql, { requests, way, logId: deps.logId, logs });
    for (const name of namesOf(requests, begun.outcomes)) deps.faults.hit(`${name}:before`);
  } catch (error) {
    // Nothing of what is presumed has been sent.
    if (way !== 'presumed') await rollBack(deps, { sql, error });
    return { kind: 'undone', error };
  }
  const isWork = requests.some(({ writes }) => writes.some(makesWork));
  const behind = deps.behind(isWork);
  const made = await commit(deps, { sql, tx: begun.tx, lost: { ...begun.mark, era }, behind });
  if (made.kind === 'undone') return made;
  if (made.kind === 'unknown') return allFailed(requests, isWork, made.error);
  try {
    for (const name of namesOf(requests, begun.outcomes)) deps.faults.hit(`${name}:after`);
  } catch (error) {
    return allFailed(requests, isWork, error);
  }
  return { kind: 'settled', outcomes: begun.outcomes, isWork, isTold: made.isTold };
}

interface Begun {
  readonly tx: Transaction;
  readonly mark: CommitMark;
  readonly outcomes: readonly Outcome[];
}

const allFailed = (requests: Requests, isWork: boolean, error: unknown): Attempt => ({
  kind: 'settled',
  isWork,
  isTold: false,
  outcomes: requests.map(() => ({ ok: false, error })),
});

const namesOf = (requests: Requests, outcomes: readonly Outcome[]) =>
  requests.flatMap((request, index) => (outcomes[index]?.ok === true ? request.writes : []));

/** What each request asks. Throws NotTogether. */
async function workOn(
  sql: SqlRunner,
  of: { readonly requests: Requests; readonly way: Way } & Pick<TransactionParts, 'logId' | 'logs'>,
): Promise<Begun> {
  const jobIds = [...new Set(of.requests.flatMap((request) => request.jobs))];
  const locksQueue = of.requests.some(({ admits }) => admits === true);
  const { way, logId, logs } = of;
  const parts = { sql, logs, jobIds, locksQueue, way, logId };
  const tx = way === 'presumed' ? presume(parts) : await begin(parts);
  if (tx === null) throw new NotTogether();
  const outcomes: Outcome[] = [];
  const refused = new Map<string, Outcome>();
  for (const request of of.requests) {
    const { queue } = request;
    const known = (queue === undefined ? undefined : refused.get(queue)) ?? outcomeOf(tx, request);
    const outcome = known instanceof Promise ? await known : known;
    if (queue !== undefined && !outcome.ok) refused.set(queue, outcome);
    outcomes.push(outcome);
  }
  return { tx, mark: markOf(tx, way), outcomes };
}

function markOf(tx: Transaction, way: Way): CommitMark {
  if (way !== 'presumed') return { kind: 'numbered', xid: tx.xid };
  const { witness } = tx;
  if (witness === undefined) throw new NotTogether();
  return { kind: 'witnessed', witness };
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

type Made =
  | { readonly kind: 'committed'; readonly isTold: boolean }
  | { readonly kind: 'undone'; readonly error: unknown }
  | { readonly kind: 'unknown'; readonly error: unknown };

/**
 * A connection that breaks now leaves the outcome open: the server is asked what became of the
 * transaction.
 */
async function commit(
  deps: Deps,
  of: {
    readonly sql: SqlRunner;
    readonly tx: Transaction;
    readonly lost: LostCommit;
    readonly behind: string | null;
  },
): Promise<Made> {
  try {
    await of.tx.commit(of.behind);
    return { kind: 'committed', isTold: of.behind !== null };
  } catch (error) {
    if (!isLost(error)) {
      await rollBack(deps, { sql: of.sql, error });
      return { kind: 'undone', error };
    }
    deps.writer.discard();
    const status = await statusOf(deps, of.lost);
    if (status === 'committed' && (await isReadAgain(deps, of.tx))) return { kind: 'committed', isTold: false };
    return status === 'aborted' ? { kind: 'undone', error } : { kind: 'unknown', error: outcomeUnknown(error) };
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
 * What came of the commit of a group. `isWork`: jobs may be claimable that were not before.
 * `isTold`: other processes hear of it.
 */
interface Committed {
  readonly isWork: boolean;
  readonly isTold: boolean;
}

export interface WriteQueueDeps {
  readonly writer: Writer;
  /** See `TransactionParts`. */
  readonly logId: string;
  readonly faults: FaultPoints;
  readonly pacing: Pacing;
  /**
   * What tells other processes of a commit and goes out behind it, where that is due; null: whoever
   * hears of the commit sees to it.
   */
  readonly behind: (isWork: boolean) => string | null;
  readonly onCommit: (commit: Committed) => void;
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
  /** Of runs that are known, and while nothing fails, its work asks the server nothing. */
  readonly presumes?: boolean;
  /**
   * It writes events, or claims: by one of them a commit that went out in one piece is recognized.
   * What is known of runs is not risked for a group without any.
   */
  readonly leavesMark?: boolean;
  readonly work: Work<T>;
}

/**
 * Work inside the shared transaction. It throws to refuse; it may be run again, so it changes
 * nothing outside.
 */
export type Work<T> = (tx: Transaction) => Soon<T>;
