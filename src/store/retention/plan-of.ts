import type { AuditPlan, PlanMethod } from '../../domain/ports/retention.js';
import type { PageLook, RetentionDialect, Shares } from './dialect.js';
import type { RunTally } from './due-pages.js';
import { earlierOf, type Moment } from './moment.js';
import { addShares, rowsOf } from './shares.js';

/** An estimate tells by the first pages of each tree: its oldest rows lie there. */
const LOOKS: Readonly<Record<PlanMethod, PageLook>> = {
  exact: { kind: 'every' },
  estimate: { kind: 'first', pages: 256 },
};

/** What goes with runs, counted or estimated. */
export interface Going {
  readonly method: PlanMethod;
  readonly runs: RunTally;
  /** Rows of these runs. */
  readonly shares: Shares;
  readonly blobs: { readonly count: number; readonly bytes: number };
}

/** The plan, with what goes and belongs to no run. */
export async function planOf(
  dialect: RetentionDialect,
  moment: Moment,
  { method, runs, shares: ofRuns, blobs }: Going,
): Promise<AuditPlan> {
  const { before } = moment;
  const shares = addShares(ofRuns, await sharesBeside(dialect, moment));
  const going = { runs: runs.count(), before, look: LOOKS[method] };
  const { freed, now, after } = await dialect.databaseBytes(shares, going);
  return {
    method,
    endedBefore: before,
    ...runs.span(),
    rows: rowsOf(shares),
    blobs: blobs.count,
    bytes: { database: freed, blobs: blobs.bytes },
    databaseBytes: { now, after },
  };
}

async function sharesBeside(dialect: RetentionDialect, moment: Moment): Promise<Shares> {
  const idle = await dialect.idleKnowledge(earlierOf(moment));
  return {
    serve_access: await dialect.accessShare(moment.before),
    knowledge_indexes: { rows: idle.indexes, bytes: 0 },
    knowledge_documents: { rows: idle.documents, bytes: idle.bytes },
  };
}
