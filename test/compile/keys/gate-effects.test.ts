import { expect, test } from 'vitest';
import { showsEffect } from '../../support/shows-effect.js';
import { GATE_PROOFS } from './proofs/gate-proofs.js';
import { GATES, planOf } from './proofs/gate-scene.js';

test.concurrent.for(GATE_PROOFS)(
  '$key changes what a dry run says of the gate',
  async ({ key, a, b, given, refuses }) => {
    const refusals = new Set<unknown>();
    const observe = async (directory: string) => {
      const plan = (await planOf(directory)) as { readonly refused?: string };
      refusals.add(plan.refused ?? null);
      return plan;
    };

    await showsEffect(key, a, b, { base: GATES, observe, ...(given === undefined ? {} : { given }) });

    expect(refusals).toEqual(new Set([null, refuses ?? null]));
  },
);
