import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeWorld, type World } from '../world.js';
import { gated } from './gated-workspace.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

it('exports the gate of a run by the run alone, as it is decided by it', { timeout: 60_000 }, async () => {
  const directory = world.files('export', gated());
  const run = await world.here(['run', directory, 'release', '--input', 'write it', '--as', 'dana', '--json']);
  const job = String(run.lines().at(-1)?.id);
  const file = join(world.base, 'proof.json');
  const wrote = await world.here(['review', 'export', job.slice(0, 6), directory, '--output', file]);
  expect(wrote).toMatchObject({ code: 0 });
  expect(wrote.stderr).toMatch(new RegExp(`gate ${job}:writer, pending, 0 decisions, \\d+ events\n$`));
  expect(await world.here(['verify', file])).toMatchObject({ code: 0 });
});
