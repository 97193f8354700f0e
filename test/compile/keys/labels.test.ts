import { expect, test } from 'vitest';
import { KEY_TABLE } from '../../../src/compile/keys/key-table.js';
import { linkedView } from '../../support/linked-view.js';
import { type Documents, showsEffect } from '../../support/shows-effect.js';
import { SCENE } from './effect-scene.js';

const labels = KEY_TABLE.filter((row) => row.state === 'in-force' && row.isLabel === true).map((row) => row.key);

/** Two legal values of a label. */
function valuesOf(key: string): readonly [unknown, unknown] {
  if (key.endsWith('authored_by')) return ['human', 'vendor_published'];
  if (key.endsWith('.version')) return ['1.0.0', '2.0.0'];
  if (key.endsWith('authored_date')) return ['2026-01-01', '2026-02-01'];
  if (key.endsWith('annotations')) return [{ a: '1' }, { a: '2' }];
  if (key === 'EvalSet.metadata')
    return [
      { id: 'smoke', extra: 1 },
      { id: 'smoke', extra: 2 },
    ];
  if (key === 'EvalSet.provenance') return [{ version: '1' }, { version: '2' }];
  if (key === 'Archetype.role') return ['root', 'worker'];
  if (key === 'Workspace.organisation.id' || key === 'Workspace.team.id' || key === 'RoleRegistry.metadata.id') return ['first', 'second'];
  return ['The first text.', 'The second text.'];
}

/** `name` of an organisation needs its `id`. */
const given = (key: string): Readonly<Record<string, unknown>> =>
  /^Workspace\.(organisation|team)\.name$/.test(key) ? { [key.replace(/name$/, 'id')]: 'some' } : {};

/** A side that does not compile would be equal to the other for the wrong reason. */
async function validView(directory: string): Promise<unknown> {
  const view = await linkedView(directory);
  expect(view).toHaveProperty('topologies');
  return view;
}

test.each(labels)('the label %s is accepted and changes nothing', async (key) => {
  const [a, b] = valuesOf(key);

  const claimed = showsEffect(key, a, b, { base: SCENE as Documents, observe: validView, given: given(key) });

  await expect(claimed).rejects.toThrow('show the same result');
});
