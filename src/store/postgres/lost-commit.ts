import type { Pacing } from '../pacing.js';
import { isLost, sqlState } from './failures.js';
import { isSameEra, type ServerEra } from './server-era.js';
import { IS_AT_WORK, IS_BEHIND, TRANSACTION_STATUS } from './sql/session.js';
import type { Witness } from './witness.js';
import type { Writer, WritingConnection } from './writer.js';

/**
 * By what a transaction is recognized whose connection broke during COMMIT: the number that the
 * server gave it, or, where that was never heard of, something that it alone writes.
 */
export type CommitMark =
  | { readonly kind: 'numbered'; readonly xid: string }
  | { readonly kind: 'witnessed'; readonly witness: Witness };

export type LostCommit = CommitMark & { readonly era: ServerEra };

type Status = 'committed' | 'aborted' | 'unknown';

interface Deps {
  readonly writer: Writer;
  readonly pacing: Pacing;
  readonly busyLimitMs: number;
}

const STATUS_PAUSE_MS = 50;

/**
 * Asked on a new connection until the server that takes writes has decided; `unknown` when it
 * cannot be reached or no longer knows.
 */
export async function statusOf({ writer, pacing, busyLimitMs }: Deps, lost: LostCommit): Promise<Status> {
  const untilMs = pacing.nowMs() + busyLimitMs;
  for (;;) {
    try {
      const now = await writer.connection();
      // Another connection may lead to the server that takes writes.
      const isBehind = await isOneBehind(now);
      const status = isBehind ? null : await statusAt(now, lost);
      if (status !== null) return status;
      if (isBehind) writer.discard();
    } catch (error) {
      // A server that was restored to an earlier time does not know the number.
      if (!isLost(error) && sqlState(error) !== null) return 'unknown';
      writer.discard();
    }
    if (pacing.nowMs() > untilMs) return 'unknown';
    await pacing.sleep(STATUS_PAUSE_MS);
  }
}

/**
 * What a server in recovery does not hold, it may hold once it has replayed what it was sent: that
 * it has no such event says nothing.
 */
const isOneBehind = async ({ sql }: WritingConnection): Promise<boolean> =>
  (await sql.get<{ is_behind: boolean }>(IS_BEHIND))?.is_behind !== false;

/** Null: it is not decided yet. */
const statusAt = (now: WritingConnection, lost: LostCommit): Promise<Status | null> =>
  lost.kind === 'numbered' ? statusOfNumber(now, lost) : statusByWitness(now, lost);

/**
 * A server that lost its memory since hands out again the numbers of transactions of which nothing
 * was on its disk: what it then says of a committed one may be said of another
 * (docs/design/journal.md#commit-in-flight).
 */
async function statusOfNumber(
  now: WritingConnection,
  { xid, era }: { readonly xid: string; readonly era: ServerEra },
): Promise<Status | null> {
  const row = await now.sql.get<{ status: string | null }>(TRANSACTION_STATUS, { xid });
  if (row?.status === 'committed') return isSameEra(era, now.era) ? 'committed' : 'unknown';
  if (row?.status === 'aborted') return 'aborted';
  return row === undefined || row.status === null ? 'unknown' : null;
}

/**
 * While the server's process is still at work what it wrote may come yet; asked in this order, so
 * that it is there once the process is gone.
 */
async function statusByWitness(
  { sql }: WritingConnection,
  { witness, era }: Extract<LostCommit, { readonly kind: 'witnessed' }>,
): Promise<Status | null> {
  const { pid, since } = era;
  const process = await sql.get<{ is_at_work: boolean }>(IS_AT_WORK, { pid, since });
  if (await witness(sql)) return 'committed';
  return process?.is_at_work === false ? 'aborted' : null;
}
