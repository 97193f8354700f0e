import type { AuditPlan } from '../../domain/ports/retention.js';
import type { RetentionDialect, Shares } from './dialect.js';
import { createTally, duePages, PAGE_RUNS } from './due-pages.js';
import type { Moment } from './moment.js';
import { planOf } from './plan-of.js';
import { addShares, scaleShares, sum } from './shares.js';
import { createSpread, interleaved } from './spread.js';

/** Of more runs than these a sample is looked at. */
const SAMPLED_RUNS = 256;
/** Parts of the sample, each of which tells something of all runs. */
const PARTS = 16;
/** A sample of long runs ends with the part in which it has seen so many rows. */
const SAMPLED_ROWS = 50_000;
/** Digests that are judged: whether a row still names one may take long. */
const JUDGED_DIGESTS = 200;

/** What some of the runs hold that go. */
interface Sample {
  readonly runs: number;
  readonly shares: Shares;
  /** Digests that these runs name, and in how many parts of the sample. */
  readonly named: ReadonlyMap<string, number>;
}

/**
 * Counts the runs that go and looks at some of them. Nothing that it reads grows with the store but
 * that count, and the lines of the access log that go.
 */
export async function planRoughly(dialect: RetentionDialect, moment: Moment): Promise<AuditPlan> {
  const { before } = moment;
  const runs = createTally();
  const ids = createSpread<string>(SAMPLED_RUNS);
  for await (const page of duePages(dialect, { before, limit: PAGE_RUNS })) {
    runs.add(page);
    for (const { id } of page) ids.add(id);
  }
  const sample = await lookAt(dialect, ids.kept());
  const times = sample.runs === 0 ? 0 : runs.count() / sample.runs;
  const blobs = await blobsOf(dialect, moment, { ...sample, times });
  const begun = await dialect.shares(await dialect.undone(PAGE_RUNS));
  const shares = addShares(begun, scaleShares(sample.shares, times));
  return planOf(dialect, moment, { method: 'estimate', runs, shares, blobs });
}

async function lookAt(dialect: RetentionDialect, ids: readonly string[]): Promise<Sample> {
  const named = new Map<string, number>();
  let [runs, shares, rows]: [number, Shares, number] = [0, {}, 0];
  for (const part of interleaved(ids, PARTS)) {
    if (rows >= SAMPLED_ROWS) break;
    shares = addShares(shares, await dialect.shares(part));
    for (const digest of new Set(await dialect.digests(part))) named.set(digest, (named.get(digest) ?? 0) + 1);
    runs += part.length;
    rows = sum(Object.values(shares).map((share) => share.rows));
  }
  return { runs, shares, named };
}

/**
 * Of a sample those blobs count that one part of it names. What several name is named by many runs,
 * and of them it takes long to say whether each one goes: it is told as staying. All are judged
 * where the sample is everything.
 */
async function blobsOf(
  dialect: RetentionDialect,
  { before, putBefore }: Moment,
  { named, times }: Pick<Sample, 'named'> & { readonly times: number },
): Promise<{ readonly count: number; readonly bytes: number }> {
  const own = [...named].flatMap(([digest, parts]) => (times === 1 || parts === 1 ? [digest] : []));
  const every = Math.max(1, Math.ceil(own.length / JUDGED_DIGESTS));
  const judged = own.filter((_, n) => n % every === 0);
  if (judged.length === 0) return { count: 0, bytes: 0 };
  const digests = await dialect.freed({ digests: judged, before, from: null });
  const bytes = await dialect.blobBytes(digests, putBefore);
  const weight = (times * own.length) / judged.length;
  return { count: Math.round(bytes.length * weight), bytes: Math.round(sum(bytes) * weight) };
}
