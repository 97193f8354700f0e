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
    const fields = fieldsOf(await client.read(client.http.GET('/canary')));
    return {
      routes: objectsAt(fields, 'routes').map(routeOf),
      promotions: objectsAt(fields, 'promotions').map(promotionOf),
    };
  },
  promote: async ({ topology, version }) => {
    const params = { path: { topology } };
    const fields = await client.read(client.http.POST('/canary/{topology}/promote', { params, body: { version } }));
    return changedOf(fieldsOf(fields));
  },
  rollback: async ({ topology }) => {
    const params = { path: { topology } };
    return changedOf(fieldsOf(await client.read(client.http.POST('/canary/{topology}/rollback', { params }))));
  },
});

const changedOf = (fields: Fields) => ({ topology: textAt(fields, 'topology'), weights: weightsAt(fields, 'weights') });

const weightsAt = (fields: Fields, name: string): CanaryPromotion['weights'] =>
  Object.fromEntries(
    Object.entries(fieldsOf(fields[name])).flatMap(([version, weight]) =>
      typeof weight === 'number' ? [[version, weight]] : [],
    ),
  );

const routeOf = (fields: Fields): CanaryRouteState => ({
  topology: textAt(fields, 'topology'),
  isOverridden: isTrueAt(fields, 'override'),
  versions: objectsAt(fields, 'versions').map(versionOf),
});

function versionOf(fields: Fields): CanaryVersionState {
  const metrics = fieldsOf(fields.metrics);
  const when = maybeObjectAt(fields, 'promote_when');
  return {
    version: textAt(fields, 'version'),
    weight: numberAt(fields, 'weight'),
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

const conditionOf = (fields: Fields): PromoteCondition => ({
  name: textAt(fields, 'name') as PromoteCondition['name'],
  bound: numberAt(fields, 'bound'),
  value: maybeNumberAt(fields, 'value'),
  met: isTrueAt(fields, 'met'),
  note: textAt(fields, 'note'),
});

const promotionOf = (fields: Fields): CanaryPromotion => ({
  topology: textAt(fields, 'topology'),
  weights: weightsAt(fields, 'weights'),
  oldWeights: weightsAt(fields, 'old_weights'),
  reason: textAt(fields, 'reason') as CanaryPromotion['reason'],
  by: textAt(fields, 'by'),
  at: textAt(fields, 'timestamp'),
  counters: objectsAt(fields, 'metrics').map((one) => ({
    version: textAt(one, 'version'),
    runs: numberAt(one, 'total_runs'),
    failed: numberAt(one, 'failed_runs'),
    // What was measured of each run stays where the store is.
    driftSum: 0,
    driftCount: 0,
    windowStart: textAt(one, 'window_start'),
  })),
});
