import type { CanaryCounters, CanaryOverride } from '../domain/ports/serving.js';
import type { PromoteCondition } from '../domain/promote-condition.js';
import type { CanaryRouteSettings, PromoteWhen } from '../domain/server-settings.js';
import { canonicalJson } from '../lib/canonical-json.js';
import { sha256Hex } from '../lib/sha256.js';

/** Version -> weight; they sum to 100. */
export type Weights = Readonly<Record<string, number>>;

/**
 * Names a route for the store: another configuration of it starts with new counters and without an
 * override (docs/canary.md), and so does the same route of another workspace that shares the
 * database.
 */
export const routeKey = (workspaceId: string, route: CanaryRouteSettings): string =>
  sha256Hex(canonicalJson({ workspaceId, route }));

/** What holds now: an override by people or criteria, else the file. */
export const weightsOf = (route: CanaryRouteSettings, override: CanaryOverride | null): Weights =>
  override?.weights ?? Object.fromEntries(route.versions.map(({ version, weight }) => [version, weight]));

/**
 * 0..99, the same for the same text: runs of one correlation id stay together also when they are
 * submitted at one moment.
 */
export const drawOf = (text: string): number => Number.parseInt(sha256Hex(text).slice(0, 8), 16) % 100;

/** The version whose share of 0..99, in the order of the route, holds the draw. */
export function pickVersion(route: CanaryRouteSettings, weights: Weights, draw: number): string {
  let reached = 0;
  for (const { version } of route.versions) {
    reached += weights[version] ?? 0;
    if (draw < reached) return version;
  }
  const last = route.versions.at(-1);
  // the schema asks for two
  if (last === undefined) throw new Error(`the route of ${route.topology} has no versions`);
  return last.version;
}

/** All traffic to one version. */
export const allTo = (route: CanaryRouteSettings, chosen: string): Weights =>
  Object.fromEntries(route.versions.map(({ version }) => [version, version === chosen ? 100 : 0]));

/** Failed of all counted runs; null before the first. */
export const errorRate = ({ runs, failed }: CanaryCounters): number | null => (runs === 0 ? null : failed / runs);

/** Mean over the runs that measured it. */
export const meanDrift = ({ driftSum, driftCount }: CanaryCounters): number | null =>
  driftCount === 0 ? null : driftSum / driftCount;

/** Each condition on its own, so that a reader sees what is missing. */
export function conditionsOf(when: PromoteWhen, counters: CanaryCounters): readonly PromoteCondition[] {
  const rate = errorRate(counters);
  const drift = meanDrift(counters);
  return [
    { name: 'min_runs', bound: when.minRuns, value: counters.runs, met: counters.runs >= when.minRuns, note: '' },
    {
      name: 'error_rate_below',
      bound: when.errorRateBelow,
      value: rate,
      met: rate !== null && rate < when.errorRateBelow,
      note: rate === null ? 'no run has ended in this window' : '',
    },
    {
      name: 'drift_below',
      bound: when.driftBelow,
      value: drift,
      met: drift === null ? !when.needsDrift : drift < when.driftBelow,
      note: drift === null && when.needsDrift ? 'no run has measured drift' : '',
    },
  ];
}

/** Counters of a window that is over count for nothing: the next run that ends begins a new one. */
export function inWindow(counters: CanaryCounters, windowMs: number, nowMs: number): CanaryCounters {
  if (nowMs - Date.parse(counters.windowStart) <= windowMs) return counters;
  return {
    version: counters.version,
    runs: 0,
    failed: 0,
    driftSum: 0,
    driftCount: 0,
    windowStart: new Date(nowMs).toISOString(),
  };
}

/**
 * The version that has earned all traffic: the first in the route that carries some but not all of
 * it and meets every condition; null = none.
 */
export function earned(
  route: CanaryRouteSettings,
  state: { readonly weights: Weights; readonly counters: readonly CanaryCounters[]; readonly nowMs: number },
): string | null {
  const found = route.versions.find(({ version, promoteWhen }) => {
    const weight = state.weights[version] ?? 0;
    const counters = state.counters.find((entry) => entry.version === version);
    if (promoteWhen === null || counters === undefined || weight === 0 || weight === 100) return false;
    return conditionsOf(promoteWhen, inWindow(counters, promoteWhen.windowMs, state.nowMs)).every(({ met }) => met);
  });
  return found?.version ?? null;
}
