import { expect, test } from 'vitest';
import { KEY_TABLE } from '../../../src/compile/keys/key-table.js';
import { linkedView } from '../../support/linked-view.js';
import { showsEffect } from '../../support/shows-effect.js';
import { EFFECT_PROOFS } from './effect-proofs.js';
import { SCENE } from './effect-scene.js';

test.each(EFFECT_PROOFS)('$key changes what a workspace means', async ({ key, at, a, b, given }) => {
  await showsEffect(key, a, b, { base: SCENE, observe: linkedView, ...(at === undefined ? {} : { at }), ...(given === undefined ? {} : { given }) });
});

test('every key in force that is no label has a proof', () => {
  const proven = new Set(EFFECT_PROOFS.map((proof) => proof.key));
  const wanted = KEY_TABLE.filter((row) => row.state === 'in-force' && row.isLabel === undefined && row.notYetValues === undefined);

  expect(wanted.map((row) => row.key).filter((key) => !proven.has(key))).toEqual([]);
});

test('no proof is left of a key that is not in force', () => {
  const inForce = new Set(KEY_TABLE.filter((row) => row.state === 'in-force').map((row) => row.key));

  expect(EFFECT_PROOFS.map((proof) => proof.key).filter((key) => !inForce.has(key))).toEqual([]);
});

test('a key without effect is found out', async () => {
  const claimed = showsEffect('Workspace.metadata.description', 'One.', 'Two.', { base: SCENE, observe: linkedView });

  await expect(claimed).rejects.toThrow('show the same result');
});
