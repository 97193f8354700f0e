import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import type { Stores } from '../../../src/domain/ports/stores.js';
import { topology } from '../../compile/rules/artifact-text.js';
import { openSceneApp } from '../../support/scene/scene-app.js';
import { startOf } from '../../support/scene/start-of.js';

let end: () => Promise<void> = async () => undefined;
afterEach(() => end());

/** Notes what every run writes, in its order, of stores that are asked for by each. */
function noting(noted: string[]): (stores: Stores) => Stores {
  const known = new WeakSet<Stores>();
  return (stores) => {
    if (known.has(stores)) return stores;
    known.add(stores);
    const { insert } = stores.jobs;
    const { commit } = stores.runs;
    stores.jobs.insert = (...of) => {
      noted.push('submitted');
      return insert.apply(stores.jobs, of);
    };
    stores.runs.commit = (...of) => {
      noted.push('step');
      return commit.apply(stores.runs, of);
    };
    return stores;
  };
}

it('is at work on the first of many runs while the last is still prepared', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'kit-many-'));
  await mkdir(join(directory, 'topologies'));
  await writeFile(
    join(directory, 'workspace.yaml'),
    'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: w, name: W }\n',
  );
  await writeFile(join(directory, 'topologies/t.yaml'), topology('t', 'model: { provider: mock }'));
  const noted: string[] = [];
  const env = { PATH: process.env.PATH ?? '', HOME: directory, XDG_CONFIG_HOME: directory };
  const app = openSceneApp(directory, { env, wrap: noting(noted) });
  end = async () => {
    await app.close();
    await rm(directory, { recursive: true, force: true });
  };
  const start = startOf(directory, { topology: 't', input: 'x' });
  const runOne = async () => (await app.runs.start(start)).done;
  await runOne();
  noted.length = 0;

  const MANY = 600;
  await Promise.all(Array.from({ length: MANY }, runOne));

  const submitted = noted.filter((what) => what === 'submitted').length;
  // A commit of the store that is full, and those that were prepared meanwhile.
  expect(submitted).toBe(MANY);
  expect(noted.indexOf('step')).toBeLessThan(MANY / 2);
});
