import { afterAll, beforeAll, expect, test } from 'vitest';
import { LABEL_KEYS } from '../../../src/compile/generated/keys.js';
import { type EagerModel, startEagerModel } from '../../support/scene/eager-model.js';
import { reportScene } from '../../support/scene/report-scene.js';
import { runScene } from '../../support/scene/run-scene.js';
import { type Documents, type Observe, observedWith } from '../../support/shows-effect.js';
import { COMMANDS } from './proofs/command-scene.js';
import { VERDICTS } from './proofs/verdict-scene.js';

const labels = [...LABEL_KEYS];

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
  if (key === 'RoleRegistry.metadata.id') return ['first', 'second'];
  return ['The first text.', 'The second text.'];
}

let model: EagerModel;
beforeAll(async () => {
  model = await startEagerModel();
});
afterAll(() => model.close());

/** Every label that the scene has a file for, with its first or its second value. */
function settings(base: Documents, side: 0 | 1): Readonly<Record<string, unknown>> {
  const kinds = new Set(Object.values(base).map((document) => document.kind));
  const used = labels.filter((key) => kinds.has(key.split('.')[0]));
  return Object.fromEntries(used.map((key) => [key, valuesOf(key)[side]] as const));
}

const bothSides = (base: Documents, observe: Observe) =>
  Promise.all(([0, 1] as const).map((side) => observedWith(settings(base, side), { base, observe })));

test('labels are accepted and change no verdict', async () => {
  const [first = '', second] = await bothSides(VERDICTS, reportScene);

  expect(JSON.parse(first)).toMatchObject({ isValid: true });
  expect(second).toBe(first);
});

test('labels change nothing of a run', async () => {
  const [first = '', second] = await bothSides(COMMANDS, (directory) =>
    runScene(directory, { model, env: { TOKEN: 'secret-one' } }),
  );

  expect(JSON.parse(first)).toMatchObject({ refused: null });
  expect(second).toBe(first);
});
