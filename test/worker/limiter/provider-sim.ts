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
}

export interface Sent {
  readonly atMs: number;
  readonly process: number;
  readonly isRefused: boolean;
}

interface Running {
  readonly process: number;
  isTaken: boolean;
  readonly sentAtMs: number;
  readonly endsAtMs: number;
}

const LOOK_MS = 250;
/** Longer is a scene that never ends. */
const LONGEST_MS = 3_600_000;

/** Every request that the provider got until each call had its answer. */
export function simulate(scene: Scene): readonly Sent[] {
  const { calls, processes, atOnce, retryAfterMs = 1_000, takesMs = 2_000 } = scene;
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
    const isRefused = running.length >= atOnce;
    sent.push({ atMs: nowMs, process, isRefused });
    if (!isRefused) {
      waiting[process] = (waiting[process] ?? 0) - 1;
      running = [
        ...running,
        { process, isTaken: false, sentAtMs: nowMs, endsAtMs: nowMs + takesMs + 10 * sent.length },
      ];
      return;
    }
    refused.push({ process, atMs: nowMs });
  };
  const takenOf = (process: number, nowMs: number): readonly Heard[] => {
    const taken = running.filter((one) => one.process === process && !one.isTaken && one.sentAtMs <= nowMs - 1_000);
    for (const one of taken) one.isTaken = true;
    return taken.map(() => ({ type: 'taken' }));
  };
  let refused: { process: number; atMs: number }[] = [];

  for (let nowMs = 0; nowMs < LONGEST_MS; nowMs += 10) {
    const ended = running.filter(({ endsAtMs }) => endsAtMs <= nowMs);
    running = running.filter(({ endsAtMs }) => endsAtMs > nowMs);
    for (const { process, isTaken } of ended) ask(process, nowMs, isTaken ? [] : [{ type: 'taken' }]);
    const back = refused;
    refused = [];
    for (const { process, atMs } of back) ask(process, nowMs, [{ type: 'refused', retryAfterMs, ageMs: nowMs - atMs }]);
    if (nowMs % LOOK_MS === 0)
      for (let process = 0; process < processes; process++) ask(process, nowMs, takenOf(process, nowMs));
    if (running.length === 0 && refused.length === 0 && waiting.every((left) => left === 0)) return sent;
  }
  throw new Error(`after ${LONGEST_MS} ms ${JSON.stringify({ waiting, state })}`);
}
