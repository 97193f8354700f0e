import type { AgentCall, RunView } from './run-view.js';

/** A stretch of wall time in milliseconds since the epoch. */
export interface Stretch {
  readonly fromMs: number;
  readonly toMs: number;
}

/** Wall time of a run as places on a line, long waits drawn short. */
export interface TimeAxis {
  /** 0..1; times outside the run are its ends. */
  readonly at: (ms: number) => number;
  /** Waits that are drawn short, in order. */
  readonly waits: readonly Stretch[];
}

/**
 * A wait is drawn short when it is longer than this, and longer than all work together. Source: a
 * choice.
 */
const LONG_WAIT_MS = 30_000;
/** Part of the line that one short wait takes. */
const WAIT_SHARE = 0.03;

/**
 * Times at which something of the run was under way: calls with their durations, begins and ends of
 * activations. Sorted, apart.
 */
export function busyStretches(view: RunView): readonly Stretch[] {
  const stretches = Object.values(view.agents).flatMap((agent) => [
    point(agent.startedAt),
    ...(agent.endedAt === null ? [] : [point(agent.endedAt)]),
    ...agent.trail.map(stretchOf),
  ]);
  const merged: Stretch[] = [];
  for (const next of stretches.sort((a, b) => a.fromMs - b.fromMs)) {
    const last = merged.at(-1);
    if (last === undefined || next.fromMs > last.toMs) merged.push(next);
    else merged[merged.length - 1] = { fromMs: last.fromMs, toMs: Math.max(last.toMs, next.toMs) };
  }
  return merged;
}

/** The axis of a run between two times: a run that waited a week for a decision stays readable. */
export function timeAxis(whole: Stretch, busy: readonly Stretch[]): TimeAxis {
  const gaps = busy.slice(1).map((next, index) => ({ fromMs: busy[index]?.toMs ?? next.fromMs, toMs: next.fromMs }));
  const workMs = busy.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const waits = gaps.filter(({ fromMs, toMs }) => toMs - fromMs > Math.max(LONG_WAIT_MS, workMs));
  const waitedMs = waits.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const drawnMs = Math.max(1, whole.toMs - whole.fromMs - waitedMs);
  const share = waits.length === 0 ? 0 : Math.min(WAIT_SHARE, 0.3 / waits.length);
  const perMs = (1 - share * waits.length) / drawnMs;
  const at = (ms: number): number => {
    const time = Math.min(Math.max(ms, whole.fromMs), whole.toMs);
    let place = (time - whole.fromMs) * perMs;
    for (const { fromMs, toMs } of waits) {
      if (time <= fromMs) break;
      const inside = Math.min(time, toMs) - fromMs;
      place += (share * inside) / (toMs - fromMs) - inside * perMs;
    }
    return Math.min(1, Math.max(0, place));
  };
  return { at, waits };
}

/** The time that a call took. */
export const stretchOf = ({ endedAt, durationMs }: Pick<AgentCall, 'endedAt' | 'durationMs'>): Stretch => ({
  fromMs: Date.parse(endedAt) - (durationMs ?? 0),
  toMs: Date.parse(endedAt),
});

const point = (iso: string): Stretch => ({ fromMs: Date.parse(iso), toMs: Date.parse(iso) });
