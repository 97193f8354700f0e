import type { Heard, LimiterAsk, StatedLimits } from '../../../src/domain/limiter.js';
import { askLimiter, type LimiterState, newLimiter } from '../../../src/domain/limiter-state.js';

/** A provider, and the processes that have calls for it; times by a clock that is counted. */
export interface Scene {
  readonly calls: number;
  readonly processes: number;
  readonly stated?: StatedLimits;
  /** Requests that the provider takes at the same time. */
  readonly atOnce: number;
  readonly retryAfterMs?: number;
  readonly takesMs?: number;
  /** How late a busy process sees an answer, at most; default 0. */
  readonly lateMs?: number;
}

export interface Sent {
  readonly atMs: number;
  readonly process: number;
  readonly isRefused: boolean;
}

/** A request that its process has no answer to yet. */
interface Running {
  readonly process: number;
  readonly isRefused: boolean;
  readonly sentAtMs: number;
  /** The provider has done with it. */
  readonly endsAtMs: number;
  /** The process sees that. */
  readonly seenAtMs: number;
  isTaken: boolean;
}

const LOOK_MS = 250;
const REFUSED_AFTER_MS = 10;
/** Longer is a scene that never ends. */
const LONGEST_MS = 3_600_000;

/** Every request that the provider got until each call had its answer. */
export function simulate(scene: Scene): readonly Sent[] {
  const { calls, processes, atOnce, retryAfterMs = 1_000, takesMs = 2_000, lateMs = 0 } = scene;
  const stated = scene.stated ?? { inFlight: null, requestsPerMinute: null };
  const sent: Sent[] = [];
  let state: LimiterState = newLimiter(stated);
  const waiting = Array.from({ length: processes }, (_, n) => Math.floor((calls + n) / processes));
  let running: readonly Running[] = [];

  const ask = (process: number, nowMs: number, heard: readonly Heard[]): void => {
    const mine = running.filter((one) => one.process === process).length;
    const asked: LimiterAsk = { holder: `p${process}`, inUse: mine, waiting: waiting[process] ?? 0, heard, stated };
    const next = askLimiter(JSON.parse(JSON.stringify(state)) as LimiterState, asked, nowMs);
    state = next.state;
    for (let n = 0; n < next.answer.granted; n++) send(process, nowMs);
  };
  const send = (process: number, nowMs: number): void => {
    const busy = running.filter(({ isRefused, endsAtMs }) => !isRefused && endsAtMs > nowMs).length;
    const isRefused = busy >= atOnce;
    sent.push({ atMs: nowMs, process, isRefused });
    waiting[process] = (waiting[process] ?? 0) - 1;
    const endsAtMs = nowMs + (isRefused ? REFUSED_AFTER_MS : takesMs + 10 * sent.length);
    const seenAtMs = endsAtMs + (lateMs === 0 ? 0 : (sent.length * 7_919) % lateMs);
    running = [...running, { process, isRefused, sentAtMs: nowMs, endsAtMs, seenAtMs, isTaken: false }];
  };
  const takenOf = (process: number, nowMs: number): readonly Heard[] => {
    const taken = running.filter((one) => one.process === process && !one.isTaken && one.sentAtMs <= nowMs - 1_000);
    for (const one of taken) one.isTaken = true;
    return taken.map(() => ({ type: 'taken' }));
  };
  const heardOf = ({ isRefused, isTaken, sentAtMs }: Running, nowMs: number): readonly Heard[] => {
    if (isRefused) return [{ type: 'refused', retryAfterMs, ageMs: nowMs - sentAtMs }];
    return isTaken ? [] : [{ type: 'taken' }];
  };

  for (let nowMs = 0; nowMs < LONGEST_MS; nowMs += 10) {
    const seen = running.filter(({ seenAtMs }) => seenAtMs <= nowMs);
    running = running.filter(({ seenAtMs }) => seenAtMs > nowMs);
    for (const one of seen) {
      if (one.isRefused) waiting[one.process] = (waiting[one.process] ?? 0) + 1;
      ask(one.process, nowMs, heardOf(one, nowMs));
    }
    if (nowMs % LOOK_MS === 0)
      for (let process = 0; process < processes; process++) ask(process, nowMs, takenOf(process, nowMs));
    if (running.length === 0 && waiting.every((left) => left === 0)) return sent;
  }
  throw new Error(`after ${LONGEST_MS} ms ${JSON.stringify({ waiting, state })}`);
}
