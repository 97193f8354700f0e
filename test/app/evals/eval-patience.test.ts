import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { decodeSnapshot } from '../../../src/worker/snapshot.js';
import { topology } from '../../compile/rules/artifact-text.js';
import { openSceneApp, type SceneApp } from '../../support/scene/scene-app.js';

const FILES = {
  'workspace.yaml': 'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: w, name: W }\nmemory: { enabled: false }\n',
  'topologies/t.yaml': topology('t', 'model: { provider: mock }'),
  'evals/smoke.yaml':
    'apiVersion: kit/v1\nkind: EvalSet\nmetadata: { id: smoke }\ntarget: t\ncases:\n  - { id: a, input: Say a. }\n',
};

let directory: string;
let app: SceneApp | undefined;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kit-eval-'));
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
});
afterEach(async () => {
  await app?.close();
  await rm(directory, { recursive: true, force: true });
});

/** Seconds that a case of the set waits for a provider that is down. */
async function patienceIn(env: Readonly<Record<string, string>>): Promise<unknown> {
  const paths = { PATH: process.env.PATH ?? '', HOME: directory, XDG_CONFIG_HOME: join(directory, '.config') };
  app = openSceneApp(directory, { env: { ...paths, ...env } });
  const [outcome] = await app.evals.run({
    workspace: directory,
    set: 'smoke',
    concurrency: 1,
    submittedBy: { identity: 'tester', assurance: 'asserted' },
    trust: [],
    cassettes: null,
    compare: false,
  });
  const stores = await app.stores();
  const job = await stores.jobs.get(outcome?.cases[0]?.runId ?? '');
  if (job === null) throw new Error('the case has no run');
  return (await decodeSnapshot(stores.blobs, job)).env.KIT_OUTAGE_PATIENCE_S;
}

it('a case waits for a provider that is down for a minute, as nobody looks on', async () => {
  expect(await patienceIn({ KIT_OUTAGE_PATIENCE_S: '' })).toBe(60);
});

it('a case has the patience that the environment sets', async () => {
  expect(await patienceIn({ KIT_OUTAGE_PATIENCE_S: '5' })).toBe(5);
});
