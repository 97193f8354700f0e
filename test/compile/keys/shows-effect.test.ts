import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type EagerModel, startEagerModel } from '../../support/scene/eager-model.js';
import { reportScene } from '../../support/scene/report-scene.js';
import { showsEffect } from '../../support/shows-effect.js';
import { AGENTS } from './proofs/agent-scene.js';
import { proveByRun } from './proofs/run-proofs.js';
import { VERDICTS } from './proofs/verdict-scene.js';

let model: EagerModel;
beforeAll(async () => {
  model = await startEagerModel();
});
afterAll(() => model.close());

/** A label: the key table says that it changes nothing. */
const LABEL = { key: 'Archetype.metadata.name', a: 'One', b: 'Two' };

test('a key without effect on a run is found out', async () => {
  await expect(proveByRun(LABEL, { base: AGENTS, model })).rejects.toThrow('show the same result');
});

test('a key without effect on a report is found out', async () => {
  const { key, a, b } = LABEL;

  await expect(showsEffect(key, a, b, { base: VERDICTS, observe: reportScene })).rejects.toThrow(
    'show the same result',
  );
});

test('a key that only the compiler reads is found out', async () => {
  const proof = { key: 'Workspace.server.jobs.timeout_seconds', a: 10, b: 20 };

  await expect(showsEffect(proof.key, proof.a, proof.b, { base: VERDICTS, observe: reportScene })).rejects.toThrow(
    'show the same result',
  );
  await expect(proveByRun(proof, { base: AGENTS, model })).rejects.toThrow('show the same result');
});

test('a run that is refused proves nothing, unless its refusal was named', async () => {
  const proof = { key: 'Topology.input_schema', a: { type: 'string' }, b: { type: 'object' } };

  await expect(proveByRun(proof, { base: AGENTS, model })).rejects.toThrow();
  await expect(
    proveByRun({ ...proof, refuses: 'KIT_INPUT_INVALID' }, { base: AGENTS, model }),
  ).resolves.toBeUndefined();
});

test('an entry point that shows something else each time proves nothing', async () => {
  let looks = 0;
  const observe = async () => {
    looks += 1;
    return looks;
  };

  const proved = showsEffect('Workspace.audit.level', 'minimal', 'detailed', {
    base: AGENTS,
    observe,
    entry: 'unsteady',
  });

  await expect(proved).rejects.toThrow('differently each time');
});

test('the first proof of a scene looks three times, each further one twice', async () => {
  const looks: Record<string, number> = { one: 0, other: 0 };
  const look = (entry: string) => async (directory: string) => {
    looks[entry] = (looks[entry] ?? 0) + 1;
    return readFile(join(directory, 'workspace.json'), 'utf8');
  };
  const prove = (key: string, entry: string) =>
    showsEffect(key, 'One.', 'Two.', { base: AGENTS, observe: look(entry), entry });

  await prove('Workspace.metadata.description', 'one');
  expect(looks).toEqual({ one: 3, other: 0 });
  await prove('Workspace.metadata.name', 'one');
  expect(looks).toEqual({ one: 5, other: 0 });
  await prove('Workspace.metadata.name', 'other');
  expect(looks).toEqual({ one: 5, other: 3 });
});
