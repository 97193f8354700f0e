import { expect } from 'vitest';
import type { EagerModel } from '../../../support/scene/eager-model.js';
import { runScene } from '../../../support/scene/run-scene.js';
import { type EffectScene, showsEffect } from '../../../support/shows-effect.js';
import type { RunProof } from './proof.js';

/** Two runs, one for each value, differ in what somebody sees of them. */
export async function proveByRun(
  proof: RunProof,
  scene: Pick<EffectScene, 'base' | 'prepare'> & { readonly model: EagerModel },
): Promise<void> {
  const { key, a, b, at, given, refuses, refusesBoth, run } = proof;
  const { model, ...rest } = scene;
  const refusals = new Set<string | null>();
  const endings = new Set<string | null>();
  await showsEffect(key, a, b, {
    ...rest,
    // A run that dies, or that somebody decides, is another scene than one that is left alone.
    entry: Object.keys(run ?? {}).join(),
    observe: async (directory) => {
      const { refused, status, seen } = await runScene(directory, { ...run, model });
      refusals.add(refused);
      endings.add(status);
      return seen;
    },
    ...(at === undefined ? {} : { at }),
    ...(given === undefined ? {} : { given }),
  });
  // A side that was refused for another reason would differ without any effect of the key.
  expect(refusals).toEqual(new Set(refusesBoth === undefined ? [null, refuses ?? null] : [refusesBoth]));
  // Where no side succeeds, the scene may be broken in another place.
  if (refusesBoth === undefined) expect([...endings]).toContain('completed');
}
