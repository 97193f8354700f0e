import type { UsageFilter, UsageKey, UsageShare } from '../domain/ports/usage.js';
import { instant } from './instant.js';

/** Calls of one model, topology or day that lie in one place, summed by SQL. */
export interface UsageRow {
  readonly key: string;
  readonly calls: number;
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_input_tokens: number;
  /** Of the calls whose price is known. */
  readonly cost_usd: number;
  /** Calls whose price is known, and those that failed before anything was answered. */
  readonly priced: number;
}

/** What narrows the calls, as the statements take it; null = nothing. */
export const boundsOf = ({
  since,
  until,
  topology,
}: UsageFilter): {
  readonly since: string | null;
  readonly until: string | null;
  readonly topology: string | null;
} => ({
  since: since === undefined ? null : instant(since),
  until: until === undefined ? null : instant(until),
  topology: topology ?? null,
});

/** The days of a time, as the statements take them. */
interface Days {
  /** Whole days begin here, and end before `before`: both are compared with days as text. */
  readonly from: string;
  readonly before: string;
  /** Days that a bound goes through. */
  readonly cut: readonly string[];
}

const FIRST_MOMENT = 'T00:00:00.000Z';
const LAST_MOMENT = 'T23:59:59.999Z';
/** Behind every day. */
const NO_END = '9999-99-99';

/** A moment within a day lies, as text, behind that day and before the next one. */
export function daysOf({ since, until }: ReturnType<typeof boundsOf>): Days {
  const [first, last] = [since?.slice(0, 10) ?? '', until?.slice(0, 10) ?? NO_END];
  const isFirstWhole = since === null || since === first + FIRST_MOMENT;
  const isLastWhole = until === null || until === last + LAST_MOMENT;
  const cut = [...(isFirstWhole ? [] : [first]), ...(isLastWhole ? [] : [last])];
  return {
    from: isFirstWhole ? first : since,
    before: until === null ? NO_END : isLastWhole ? until : last,
    cut: [...new Set(cut)],
  };
}

/**
 * Joins what lies in several places; the most expensive first, then by name. Where the cost is
 * unknown it may be the highest: that comes first. Days come in their order.
 */
export function foldUsage(rows: readonly UsageRow[], by: UsageKey = 'model'): readonly UsageShare[] {
  const shares = new Map<string, UsageShare>();
  for (const row of rows) shares.set(row.key, added(shares.get(row.key), row));
  const byName = (a: UsageShare, b: UsageShare): number => (a.key < b.key ? -1 : 1);
  const byCost = (a: UsageShare, b: UsageShare): number => costOf(b) - costOf(a) || byName(a, b);
  return [...shares.values()].sort(by === 'day' ? byName : byCost);
}

const costOf = ({ costUsd }: UsageShare): number => costUsd ?? Number.MAX_VALUE;

function added(before: UsageShare | undefined, row: UsageRow): UsageShare {
  const cost = row.priced < row.calls ? null : row.cost_usd;
  const { calls = 0, inputTokens = 0, outputTokens = 0, cachedInputTokens = 0, costUsd = 0 } = before ?? {};
  return {
    key: row.key,
    calls: calls + row.calls,
    inputTokens: inputTokens + row.input_tokens,
    outputTokens: outputTokens + row.output_tokens,
    cachedInputTokens: cachedInputTokens + row.cached_input_tokens,
    costUsd: costUsd === null || cost === null ? null : costUsd + cost,
  };
}
