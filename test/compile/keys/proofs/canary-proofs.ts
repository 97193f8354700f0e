import type { Documents } from '../../../support/shows-effect.js';
import type { EffectProof } from './proof.js';

const ROUTE = 'Workspace.server.canary.routes.*';
const VERSION = `${ROUTE}.versions.*`;

/** Both versions with their weights, as one value: one alone would not add up. */
const split = (first: number) => [
  { version: '1.0.0', weight: first },
  { version: '2.0.0', weight: 100 - first },
];

const PROMOTE = [
  { key: 'min_runs', a: 5, b: 6 },
  { key: 'error_rate_below', a: 0.1, b: 0.2 },
  { key: 'drift_below', a: 0.1, b: 0.2 },
  { key: 'window_minutes', a: 5, b: 6 },
] as const;

/** Keys of canary routes, shown by `GET /canary` of a server. */
export const CANARY_PROOFS: readonly EffectProof[] = [
  { key: `${ROUTE}.topology`, a: 'answer', b: 'other' },
  { key: `${VERSION}.version`, a: '1.0.0', b: '1.1.0' },
  { key: `${VERSION}.weight`, a: split(40), b: split(30), at: `${ROUTE}.versions` },
  ...PROMOTE.map(({ key, a, b }) => ({ key: `${ROUTE}.promote_when.${key}`, a, b })),
  ...PROMOTE.map(({ key, a, b }) => ({ key: `${VERSION}.promote_when.${key}`, a, b })),
];

const topology = (name: string, version: string) => ({
  apiVersion: 'kit/v1',
  kind: 'Topology',
  metadata: { name, version },
  agents: { root: { id: 'root', role: 'root', model: { provider: 'mock', name: 'mock' } } },
});

/** Two topologies with the same versions, and a route for one of them. */
export const CANARIES: Documents = {
  'workspace.json': {
    apiVersion: 'kit/v1',
    kind: 'Workspace',
    metadata: { id: 'canaries', name: 'Canaries' },
    server: { canary: { routes: [{ topology: 'answer', versions: split(50) }] } },
  },
  ...Object.fromEntries(
    ['answer', 'other'].flatMap((name) =>
      ['1.0.0', '1.1.0', '2.0.0'].map(
        (version) => [`topologies/${name}/v${version}.json`, topology(name, version)] as const,
      ),
    ),
  ),
};
