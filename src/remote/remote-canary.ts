import type { CanaryApp } from '../app/canary/canary-app.js';
import type { CanaryPromotion } from '../domain/ports/serving.js';
import type { PromoteCondition } from '../domain/promote-condition.js';
import {
  type Fields,
  fieldsOf,
  isTrueAt,
  maybeNumberAt,
  maybeObjectAt,
  maybeTextAt,
  numberAt,
  objectsAt,
  textAt,
} from '../lib/read-json.js';
import type { CanaryRouteState, CanaryVersionState } from '../view/canary-report.js';
import type { RemoteContext } from './remote-context.js';

/** Traffic between versions at a server, out of what `toWireCanary` makes. */
export const remoteCanary = ({ client }: RemoteContext): CanaryApp => ({
  list: async () => {
    const told = fieldsOf(await client.read(client.http.GET('/canary')));
    return {
      routes: objectsAt(told, 'routes').map(routeOf),
      promotions: objectsAt(told, 'promotions').map(promotionOf),
    };
  },
  promote: async ({ topology, version }) => {
    const params = { path: { topology } };
    const told = await client.read(client.http.POST('/canary/{topology}/promote', { params, body: { version } }));
    return changedOf(fieldsOf(told));
  },
  rollback: async ({ topology }) => {
    const params = { path: { topology } };
    return changedOf(fieldsOf(await client.read(client.http.POST('/canary/{topology}/rollback', { params }))));
  },
});

const changedOf = (told: Fields) => ({ topology: textAt(told, 'topology'), weights: weightsAt(told, 'weights') });

const weightsAt = (told: Fields, name: string): CanaryPromotion['weights'] =>
  Object.fromEntries(
    Object.entries(fieldsOf(told[name])).flatMap(([version, weight]) =>
      typeof weight === 'number' ? [[version, weight]] : [],
    ),
  );

const routeOf = (told: Fields): CanaryRouteState => ({
  topology: textAt(told, 'topology'),
  isOverridden: isTrueAt(told, 'override'),
  versions: objectsAt(told, 'versions').map(versionOf),
});

function versionOf(told: Fields): CanaryVersionState {
  const metrics = fieldsOf(told.metrics);
  const when = maybeObjectAt(told, 'promote_when');
  return {
    version: textAt(told, 'version'),
    weight: numberAt(told, 'weight'),
    runs: numberAt(metrics, 'total_runs'),
    failed: numberAt(metrics, 'failed_runs'),
    errorRate: maybeNumberAt(metrics, 'error_rate'),
    meanDrift: maybeNumberAt(metrics, 'avg_drift'),
    windowStart: maybeTextAt(metrics, 'window_start'),
    promoteWhen:
      when === null
        ? null
        : {
            windowMs: numberAt(when, 'window_minutes') * 60_000,
            conditions: objectsAt(when, 'conditions').map(conditionOf),
          },
  };
}

const conditionOf = (told: Fields): PromoteCondition => ({
  name: textAt(told, 'name') as PromoteCondition['name'],
  bound: numberAt(told, 'bound'),
  value: maybeNumberAt(told, 'value'),
  met: isTrueAt(told, 'met'),
  note: textAt(told, 'note'),
});

const promotionOf = (told: Fields): CanaryPromotion => ({
  topology: textAt(told, 'topology'),
  weights: weightsAt(told, 'weights'),
  oldWeights: weightsAt(told, 'old_weights'),
  reason: textAt(told, 'reason') as CanaryPromotion['reason'],
  by: textAt(told, 'by'),
  at: textAt(told, 'timestamp'),
  counters: objectsAt(told, 'metrics').map((one) => ({
    version: textAt(one, 'version'),
    runs: numberAt(one, 'total_runs'),
    failed: numberAt(one, 'failed_runs'),
    // What was measured of each run stays where the store is.
    driftSum: 0,
    driftCount: 0,
    windowStart: textAt(one, 'window_start'),
  })),
});
