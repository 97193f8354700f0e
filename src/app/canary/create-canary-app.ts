import { KitError } from '../../domain/errors.js';
import type { CanaryState } from '../../domain/ports/serving.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { Clock } from '../../domain/ports/system.js';
import type { CanaryRouteSettings } from '../../domain/server-settings.js';
import type { Workspace } from '../../domain/workspace.js';
import {
  allTo,
  conditionsOf,
  errorRate,
  inWindow,
  meanDrift,
  routeKey,
  type Weights,
  weightsOf,
} from '../../govern/canary.js';
import { hintFor } from '../../lib/nearest.js';
import type { CanaryRouteState, CanaryVersionState } from '../../view/canary-report.js';
import type { CanaryApp, ChangeTraffic } from './canary-app.js';

/** Real parts behind the use cases. */
export interface CanaryDeps {
  readonly clock: Clock;
  readonly loadWorkspace: (directory: string) => Promise<Pick<Workspace, 'id' | 'server'>>;
  /** Makes the store where there is none: a promotion before the first run counts as well. */
  readonly openStores: (directory: string) => Promise<Pick<Stores, 'serving'>>;
}

const SHOWN_PROMOTIONS = 100;

export function createCanaryApp(deps: CanaryDeps): CanaryApp {
  const change = async (
    ask: ChangeTraffic,
    chosen: { readonly reason: 'promote' | 'rollback'; readonly version: string | null },
  ) => {
    const { id, server } = await deps.loadWorkspace(ask.workspace);
    const route = findRoute(server.canary, ask.topology);
    const version = chosen.version ?? route.versions[0]?.version ?? '';
    assertVersion(route, version);
    const { canary } = (await deps.openStores(ask.workspace)).serving;
    const key = routeKey(id, route);
    const state = await canary.state(key);
    const oldWeights = weightsOf(route, state.override);
    const weights = allTo(route, version);
    const promotion = {
      topology: route.topology,
      weights,
      oldWeights,
      counters: state.counters,
      by: ask.by,
      reason: chosen.reason,
    };
    if (!(await canary.override(key, promotion, state.override?.at ?? null)))
      throw new KitError(
        'KIT_CANARY_CONFLICT',
        `the weights of ${route.topology} were changed by somebody else meanwhile`,
      );
    return { topology: route.topology, weights };
  };
  return {
    list: async ({ workspace }) => {
      const { id, server } = await deps.loadWorkspace(workspace);
      if (server.canary.length === 0) return { routes: [], promotions: [] };
      const { canary } = (await deps.openStores(workspace)).serving;
      const nowMs = deps.clock.now();
      const routes = await Promise.all(
        server.canary.map(async (route) => routeState(route, await canary.state(routeKey(id, route)), nowMs)),
      );
      return { routes, promotions: await canary.promotions(null, SHOWN_PROMOTIONS) };
    },
    promote: (ask) => change(ask, { reason: 'promote', version: ask.version }),
    rollback: (ask) => change(ask, { reason: 'rollback', version: null }),
  };
}

function findRoute(routes: readonly CanaryRouteSettings[], topology: string): CanaryRouteSettings {
  const found = routes.find((route) => route.topology === topology);
  if (found !== undefined) return found;
  const names = routes.map((route) => route.topology);
  throw new KitError(
    'KIT_CANARY_UNKNOWN',
    `no canary route splits ${topology}${names.length === 0 ? '; the workspace has none' : ''}`,
    {
      hint: hintFor(topology, names, { fallback: 'Write it under server.canary.routes and reload.' }),
    },
  );
}

function assertVersion(route: CanaryRouteSettings, version: string): void {
  const versions = route.versions.map((entry) => entry.version);
  if (versions.includes(version)) return;
  throw new KitError(
    'KIT_CANARY_UNKNOWN',
    `the route of ${route.topology} has no version ${version}; it has ${versions.join(', ')}`,
    {
      hint: hintFor(version, versions, { fallback: `Name one of ${versions.join(', ')}.` }),
    },
  );
}

function routeState(route: CanaryRouteSettings, state: CanaryState, nowMs: number): CanaryRouteState {
  const weights = weightsOf(route, state.override);
  return {
    topology: route.topology,
    versions: route.versions.map((entry) => versionState(entry, { state, weights, nowMs })),
    isOverridden: state.override !== null,
  };
}

function versionState(
  { version, promoteWhen }: CanaryRouteSettings['versions'][number],
  of: { readonly state: CanaryState; readonly weights: Weights; readonly nowMs: number },
): CanaryVersionState {
  const stored = of.state.counters.find((entry) => entry.version === version);
  const empty = {
    version,
    runs: 0,
    failed: 0,
    driftSum: 0,
    driftCount: 0,
    windowStart: new Date(of.nowMs).toISOString(),
  };
  const counters =
    stored === undefined ? empty : promoteWhen === null ? stored : inWindow(stored, promoteWhen.windowMs, of.nowMs);
  return {
    version,
    weight: of.weights[version] ?? 0,
    runs: counters.runs,
    failed: counters.failed,
    errorRate: errorRate(counters),
    meanDrift: meanDrift(counters),
    windowStart: stored === undefined ? null : counters.windowStart,
    promoteWhen:
      promoteWhen === null ? null : { windowMs: promoteWhen.windowMs, conditions: conditionsOf(promoteWhen, counters) },
  };
}
