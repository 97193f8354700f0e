import type { EffectProof } from './proof.js';

const nowhere = (name: string): string => `postgres://127.0.0.1:1/${name}`;

/** Where the rows of servers and workers lie: what is shown is which store was asked. */
export const FLEET_PROOFS: readonly EffectProof[] = [
  {
    key: 'Workspace.storage.fleet.backend',
    a: 'sqlite',
    b: 'postgres',
    given: { 'Workspace.storage.fleet.url': nowhere('fleet') },
  },
  {
    key: 'Workspace.storage.fleet.url',
    a: nowhere('one'),
    b: nowhere('two'),
    given: { 'Workspace.storage.fleet.backend': 'postgres' },
  },
];
