import type { CanaryApp } from '../app/canary/canary-app.js';
import { CANARY, PROMOTED, ROLLED_BACK } from '../view/schemas/canary.js';
import type { RemoteContext } from './remote-context.js';

/** Traffic between versions at a server, out of what `toWireCanary` makes. */
export const remoteCanary = ({ client }: RemoteContext): CanaryApp => ({
  list: async () => {
    const { routes, promotions } = await client.readAs(CANARY, client.http.GET('/canary'));
    return {
      routes: routes.map((route) => ({
        ...route,
        versions: route.versions.map(({ metrics, ...version }) => ({ ...version, ...metrics })),
      })),
      promotions: promotions.map((promotion) => ({
        ...promotion,
        counters: promotion.counters.map((one) => ({ ...one, ...UNMEASURED })),
      })),
    };
  },
  promote: async ({ topology, version }) => {
    const params = { path: { topology } };
    return client.readAs(PROMOTED, client.http.POST('/canary/{topology}/promote', { params, body: { version } }));
  },
  rollback: async ({ topology }) => {
    const params = { path: { topology } };
    return client.readAs(ROLLED_BACK, client.http.POST('/canary/{topology}/rollback', { params }));
  },
});

// What was measured of each run stays where the store is.
const UNMEASURED = { driftSum: 0, driftCount: 0 };
