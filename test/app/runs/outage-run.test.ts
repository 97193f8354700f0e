import { rm } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../src/domain/job.js';
import { topology } from '../../compile/rules/artifact-text.js';
import { createDatabase } from '../../support/components/postgres.js';
import { submitted, untilStatus } from '../../support/http/ask.js';
import {
  makeDirectory,
  openServeScene,
  type ServeScene,
  type ServeSceneOptions,
} from '../../support/http/serve-scene.js';
import { type ModelServer, type Reply, startModelServer } from '../../support/model-server.js';
import { quickClock } from '../../support/quick-clock.js';

const FILES = {
  'workspace.yaml': `apiVersion: kit/v1
kind: Workspace
metadata: { id: w, name: W }
memory: { enabled: false }
server: { jobs: { max_concurrent: 1 } }
`,
  'providers/local.yaml': `apiVersion: kit/v1
kind: ModelProvider
metadata: { id: local, name: Local, description: A model server of this machine. }
spec: { extends: openai-compatible, base_url: "\${MODEL_URL}", auth: { api_key_env: LOCAL_KEY }, models: { accept_any: true } }
provenance: { authored_by: human, version: 1.0.0 }
`,
  'topologies/talk.yaml': topology('talk', 'model: { provider: local, name: m1 }'),
};

/** Inputs whose calls find the model down; each is found down once. */
const down = new Set<string>();
/** Inputs whose calls find the model down for as long as they stand here. */
const away = new Set<string>();
let model: ModelServer;
let directory: string;
const open: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  model = await startModelServer(({ body }): Reply => {
    if ([...away].some((input) => JSON.stringify(body).includes(input))) return { do: 'status', status: 503 };
    const asked = [...down].find((input) => JSON.stringify(body).includes(input));
    if (asked === undefined) return { do: 'answer', text: 'ok' };
    down.delete(asked);
    return { do: 'status', status: 503 };
  });
});
afterAll(() => model.close());
beforeEach(async () => {
  directory = await makeDirectory(FILES);
});
afterEach(async () => {
  for (const one of open.splice(0).reverse()) await one.close();
  await rm(directory, { recursive: true, force: true });
});

async function serve(options: ServeSceneOptions = {}): Promise<ServeScene> {
  const scene = await openServeScene(directory, {
    ...options,
    env: { MODEL_URL: model.url, LOCAL_KEY: 'k', KIT_MODEL_RETRIES: '0', KIT_OUTAGE_PATIENCE_S: '900' },
  });
  open.push({ close: () => scene.stop() });
  return scene;
}

async function submit(scene: ServeScene, input: string): Promise<string> {
  const answer = await submitted(scene, 'talk', { input });
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json().job_id;
}

/** The row once nobody executes the run and it waits. */
async function untilAsleep(scene: ServeScene, id: string): Promise<Job> {
  const { jobs } = await scene.stores();
  await expect.poll(async () => (await jobs.get(id))?.wakeAt ?? null, { interval: 10 }).not.toBeNull();
  return (await jobs.get(id)) as Job;
}

const typesOf = async (scene: ServeScene, id: string): Promise<readonly string[]> =>
  (await (await scene.stores()).events.readRun(id, 0, 1000)).map(({ type }) => type);

describe('a server whose provider is down for a run', () => {
  it('gives its only slot to other runs meanwhile, and goes on by itself', async () => {
    const scene = await serve({ clock: quickClock(5) });
    away.add('first task');
    const first = await submit(scene, 'first task');
    expect(await untilAsleep(scene, first)).toMatchObject({ status: 'running', workerId: null });
    // However slowly this goes: there is no model for the first before the second has ended.
    await untilStatus(scene, await submit(scene, 'second task'), 'completed');
    expect(await (await scene.stores()).jobs.get(first)).toMatchObject({ status: 'running' });
    away.delete('first task');
    await untilStatus(scene, first, 'completed');
    const types = await typesOf(scene, first);
    expect(types).toContain('step.waiting');
    expect(types).not.toContain('step.repeated');
    expect(types).not.toContain('run.parked');
  });

  it('has left it to whoever comes next, on PostgreSQL', { timeout: 60_000 }, async () => {
    const database = await createDatabase();
    open.push({ close: () => database.drop() });
    const storage = { backend: 'postgres', url: database.url, setting: 'a test' } as const;
    const one = await serve({ storage });
    down.add('first task');
    const id = await submit(one, 'first task');
    await untilAsleep(one, id);
    await open.pop()?.close();
    const other = await serve({ storage });
    await untilStatus(other, id, 'completed');
    expect(await typesOf(other, id)).not.toContain('step.repeated');
    expect(await (await other.stores()).jobs.get(id)).toMatchObject({ attempt: 2, crashes: 0 });
  });
});
