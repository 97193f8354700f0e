import type { Heard, LimiterAnswer, LimiterAsk, ReportedLimit, StatedLimits } from './limiter.js';

interface Holder {
  readonly inUse: number;
  readonly waiting: number;
  /** Since when it waits without having been granted anything. */
  readonly waitingSinceMs: number;
  readonly seenAtMs: number;
}

/** Tokens of a rate: one is taken by each request, and they grow back. */
interface Bucket {
  readonly capacity: number;
  readonly perMs: number;
  readonly level: number;
  readonly atMs: number;
}

/**
 * What is known of one account of a model provider: JSON, kept by a process for itself or by the
 * store for every process.
 *
 * Nobody knows the limits of an account beforehand, so they are found out: a refusal halves what
 * may be under way and each round of requests that are taken lets one more, up to where it was
 * refused. What the configuration states is never exceeded.
 */
export interface LimiterState {
  /** Requests that may be under way; a fraction counts as nothing yet. */
  readonly allowed: number;
  /** Where the last refusal came; null = none ever did. */
  readonly ceiling: number | null;
  /** 0 = never. */
  readonly cutAtMs: number;
  readonly closedUntilMs: number;
  /** Of the configuration; null = it states no rate. */
  readonly stated: Bucket | null;
  /** Of what answers reported; null = nothing. Rows of the store hold it by this name. */
  readonly told: Bucket | null;
  readonly holders: Readonly<Record<string, Holder>>;
}

/** Without a stated limit: what a fan-out begins with. It grows by one with each that is taken. */
export const FIRST_ALLOWED = 8;
/** Without a stated limit: no more than this, whatever the provider takes. */
export const MOST_ALLOWED = 256;
/** A limit that was found is tried again after this time. */
const CEILING_MS = 60_000;
/** A refusal without advice closes for this long. */
const PAUSE_MS = 1_000;
/** A process that was not heard of for so long has no requests under way any more. */
export const HOLDER_MS = 30_000;
/** A process that waits asks again more often than this; else it no longer waits. */
const ASKS_WITHIN_MS = 3_000;
const MINUTE_MS = 60_000;
/** A header that promises more is not believed: nobody knows its clock. */
const LONGEST_RESET_MS = 10 * MINUTE_MS;

export const newLimiter = (stated: StatedLimits): LimiterState => ({
  allowed: stated.inFlight ?? FIRST_ALLOWED,
  ceiling: null,
  cutAtMs: 0,
  closedUntilMs: 0,
  stated: null,
  told: null,
  holders: {},
});

/** One exchange: what was heard is learned, and what is free is given. */
export function askLimiter(
  before: LimiterState,
  ask: LimiterAsk,
  nowMs: number,
): { readonly state: LimiterState; readonly answer: LimiterAnswer } {
  const seen = seenOf(before, ask, nowMs);
  let state: LimiterState = {
    ...before,
    holders: seen,
    allowed: Math.min(before.allowed, mostOf(ask.stated)),
    stated: statedBucket(before.stated, ask.stated, nowMs),
  };
  for (const heard of ask.heard) state = learned(state, heard, { ask, nowMs });
  const waitingSinceMs = waitingSince(before.holders[ask.holder], nowMs);
  const answer = answerOf(state, { ask, nowMs, waitingSinceMs });
  const { granted } = answer;
  const mine: Holder = {
    inUse: ask.inUse + granted,
    waiting: ask.waiting - granted,
    waitingSinceMs: granted > 0 ? nowMs : waitingSinceMs,
    seenAtMs: nowMs,
  };
  const holders = { ...seen };
  if (mine.inUse + mine.waiting > 0) holders[ask.holder] = mine;
  return {
    state: { ...state, holders, stated: spent(state.stated, granted), told: spent(state.told, granted) },
    answer,
  };
}

const mostOf = ({ inFlight }: StatedLimits): number => inFlight ?? MOST_ALLOWED;

const waitingSince = (holder: Holder | undefined, nowMs: number): number =>
  holder !== undefined && holder.waiting > 0 ? holder.waitingSinceMs : nowMs;

/** The other processes that are still there. */
function seenOf({ holders }: LimiterState, { holder }: LimiterAsk, nowMs: number): Record<string, Holder> {
  return Object.fromEntries(
    Object.entries(holders).filter(([id, { seenAtMs }]) => id !== holder && nowMs - seenAtMs < HOLDER_MS),
  );
}

/**
 * Requests within any minute are those that are there at its beginning and those that grow back, so
 * a tenth is there at once and the rest comes evenly.
 */
function statedBucket(before: Bucket | null, { requestsPerMinute: rate }: StatedLimits, nowMs: number): Bucket | null {
  if (rate === null) return null;
  const capacity = Math.max(1, Math.floor(rate / 10));
  const perMs = Math.max(rate - capacity, 1) / MINUTE_MS;
  if (before === null) return { capacity, perMs, level: capacity, atMs: nowMs };
  return filled({ ...before, capacity, perMs }, nowMs);
}

const filled = (bucket: Bucket, nowMs: number): Bucket => ({
  ...bucket,
  level: Math.min(bucket.capacity, bucket.level + Math.max(0, nowMs - bucket.atMs) * bucket.perMs),
  atMs: Math.max(bucket.atMs, nowMs),
});

const spent = (bucket: Bucket | null, granted: number): Bucket | null =>
  bucket === null || granted === 0 ? bucket : { ...bucket, level: bucket.level - granted };

interface Now {
  readonly ask: LimiterAsk;
  readonly nowMs: number;
}

function learned(state: LimiterState, heard: Heard, now: Now): LimiterState {
  switch (heard.type) {
    case 'taken':
      return grown(state, now);
    case 'refused':
      return cut(state, heard, now);
    case 'reported':
      return { ...state, told: reportedBucket(state.told, heard.limit, now) };
  }
}

/** Until the first refusal one more for each request that is taken, then one for each round. */
function grown(state: LimiterState, { ask, nowMs }: Now): LimiterState {
  const { allowed, ceiling, cutAtMs } = state;
  const most = mostOf(ask.stated);
  const isCeilingOld = nowMs - cutAtMs >= CEILING_MS;
  const bound = ceiling === null || isCeilingOld ? most : Math.min(ceiling, most);
  // What nobody uses is not found out.
  const isUsed = ask.waiting > 0 || inUseOf(state) + ask.inUse + 1 >= allowed / 2;
  if (allowed >= bound || !isUsed) return state;
  return { ...state, allowed: Math.min(bound, allowed + (ceiling === null ? 1 : 1 / allowed)) };
}

/**
 * Requests of one burst are refused together: those that were sent before the last cut say no more
 * than where the limit lies.
 */
function cut(
  state: LimiterState,
  { retryAfterMs, ageMs }: Extract<Heard, { type: 'refused' }>,
  { ask, nowMs }: Now,
): LimiterState {
  const others = Math.max(1, inUseOf(state) + ask.inUse);
  const pauseMs = retryAfterMs === null || Number.isNaN(retryAfterMs) ? PAUSE_MS : Math.max(0, retryAfterMs);
  const closed = { ...state, closedUntilMs: Math.max(state.closedUntilMs, nowMs + pauseMs) };
  const isSameBurst = state.cutAtMs > 0 && nowMs - Math.max(0, ageMs) <= state.cutAtMs;
  if (isSameBurst) return { ...closed, ceiling: Math.min(state.ceiling ?? others, others) };
  return { ...closed, ceiling: others, cutAtMs: nowMs, allowed: Math.max(1, Math.floor(state.allowed / 2)) };
}

const inUseOf = ({ holders }: LimiterState): number =>
  Object.values(holders).reduce((sum, { inUse }) => sum + inUse, 0);

/** The server counts on while its answer is on the way: a level that is known only falls. */
function reportedBucket(
  before: Bucket | null,
  { limit, remaining, resetMs }: ReportedLimit,
  { nowMs }: Now,
): Bucket | null {
  const isPlausible = [limit, remaining, resetMs].every((number) => Number.isFinite(number) && number >= 0);
  if (!isPlausible || limit < 1 || remaining > limit || resetMs > LONGEST_RESET_MS) return before;
  const perMs = Math.max(limit - remaining, 1) / Math.max(resetMs, 1);
  const level = before === null ? remaining : Math.min(filled(before, nowMs).level, remaining);
  return { capacity: limit, perMs, level, atMs: nowMs };
}

interface Asker extends Now {
  readonly waitingSinceMs: number;
}

function answerOf(state: LimiterState, asker: Asker): LimiterAnswer {
  const { ask, nowMs } = asker;
  const { waiting } = ask;
  if (waiting <= 0) return { granted: 0, reason: null, retryInMs: null };
  const closedMs = state.closedUntilMs - nowMs;
  if (closedMs > 0) return { granted: 0, reason: 'closed', retryInMs: closedMs };
  const free = Math.max(0, Math.min(waiting, freeFor(state, asker)));
  const buckets = [state.stated, state.told].flatMap((one) => (one === null ? [] : [filled(one, nowMs)]));
  const tokens = Math.max(0, Math.floor(Math.min(...buckets.map(({ level }) => level))));
  const granted = Math.min(free, tokens);
  if (granted === waiting) return { granted, reason: null, retryInMs: null };
  if (granted === free) return { granted, reason: 'in_flight', retryInMs: null };
  const untilNextMs = buckets.map(({ level, perMs }) => (granted + 1 - level) / perMs);
  return { granted, reason: 'requests_per_minute', retryInMs: Math.ceil(Math.max(0, ...untilNextMs)) };
}

/**
 * What is free, less what others that wait have a right to: an equal share each, and the next
 * request for who has none under way and waits longer.
 */
function freeFor(state: LimiterState, { ask: { inUse }, nowMs, waitingSinceMs }: Asker): number {
  const allowed = Math.max(1, Math.floor(state.allowed));
  const others = Object.values(state.holders);
  const free = allowed - inUse - inUseOf(state);
  const waiting = others.filter((other) => other.waiting > 0 && nowMs - other.seenAtMs < ASKS_WITHIN_MS);
  if (waiting.length === 0) return free;
  const share = Math.ceil(allowed / (waiting.length + 1));
  const ahead = waiting.filter((other) => other.inUse === 0 && (inUse > 0 || other.waitingSinceMs < waitingSinceMs));
  return Math.min(free - ahead.length, share - inUse);
}
