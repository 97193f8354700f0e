import { rm } from 'node:fs/promises';
import { expect, it, onTestFinished } from 'vitest';
import { createDatabase } from '../../../support/components/postgres.js';
import { submitted, untilStatus } from '../../../support/http/ask.js';
import { idleWorkspace } from '../../../support/http/idle-workspace.js';
import { as } from '../../../support/http/serve-group.js';
import {
  makeDirectory,
  openServeScene,
  type ServeSceneOptions,
  withServeScene,
  writeFiles,
} from '../../../support/http/serve-scene.js';

it('submits a run, answers it as pending with its address, and carries it out', async () => {
  await withServeScene(idleWorkspace(), async (scene) => {
    const { server } = scene;
    const answer = await server.inject({
      method: 'POST',
      url: '/run/idle',
      headers: as('run', 'ci'),
      payload: {
        input: 'Hello.',
        correlation_id: 't-1',
        labels: { priority: '7', team: 'core' },
        supersedes: 'aaaabbbbcccc',
        unknown: 1,
      },
    });
    expect(answer.statusCode).toBe(200);
    const job = answer.json();
    expect(answer.headers.location).toBe(`/jobs/${job.id}`);
    expect(job).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{12}$/),
      job_id: job.id,
      status: 'pending',
      topology: 'idle',
      version: '1.0.0',
      input: 'Hello.',
      source: 'serve',
      correlation_id: 't-1',
      labels: { priority: '7', team: 'core' },
      parent_job_id: 'aaaabbbbcccc',
      priority: 7,
      job_class: 'model',
      submitted_by: { identity: 'ci', assurance: 'authenticated' },
      output: null,
      usage: null,
      usage_cost_usd: null,
      attachments: [],
      warnings: [],
      author_notice: null,
    });
    const done = await untilStatus(scene, job.id, 'completed');
    expect(done).toMatchObject({
      status: 'completed',
      attempt: 1,
      output: expect.any(String),
      completed_at: expect.any(String),
    });
    expect(done.usage).toEqual({
      input_tokens: done.usage_input_tokens,
      output_tokens: done.usage_output_tokens,
      cost_usd: done.usage_cost_usd,
    });
  });
});

it('takes an empty correlation id, and an empty id of a run before, for none', async () => {
  await withServeScene(idleWorkspace(), async (scene) => {
    const job = (await submitted(scene, 'idle', { input: 'x', correlation_id: '', supersedes: '' })).json();
    expect(job).toMatchObject({ correlation_id: null, parent_job_id: null });
  });
});

const onSqlite = (): Promise<{ readonly options: ServeSceneOptions; readonly drop: () => Promise<void> }> =>
  Promise.resolve({ options: {}, drop: async () => {} });
async function onPostgres(): ReturnType<typeof onSqlite> {
  const { url, drop } = await createDatabase();
  return { options: { storage: { backend: 'postgres', url, setting: 'a test' } }, drop };
}

it.each([
  ['SQLite', onSqlite],
  ['PostgreSQL', onPostgres],
])('accepts exactly as many of two hundred concurrent submits as there are slots, on %s', async (_, open) => {
  const { options, drop } = await open();
  onTestFinished(drop);
  await withServeScene(
    idleWorkspace({ jobs: { max_concurrent: 5 } }),
    async (scene) => {
      const answers = await Promise.all(Array.from({ length: 200 }, () => submitted(scene, 'idle', { input: 'x' })));
      const accepted = answers.filter(({ statusCode }) => statusCode === 200);
      const refused = answers.filter(({ statusCode }) => statusCode === 429);
      expect([accepted.length, refused.length]).toEqual([5, 195]);
      for (const one of refused) {
        expect(Number(one.headers['retry-after'])).toBeGreaterThanOrEqual(1);
        expect(Number(one.headers['retry-after'])).toBeLessThanOrEqual(5);
        expect(one.json()).toMatchObject({ code: 'capacity', status: 429 });
      }
      expect(await scene.jobs.list({ workspace: scene.directory, limit: 1000 })).toHaveLength(5);
      for (const one of accepted) await untilStatus(scene, one.json().id, 'running');
      expect(scene.serve.load()).toEqual({ active: 5, maxConcurrent: 5 });
    },
    { env: { KIT_MOCK_LATENCY_MS: '600000' }, ...options },
  );
});

it('gives its slots back, so that what was refused is accepted later', async () => {
  await withServeScene(idleWorkspace({ jobs: { max_concurrent: 2 } }), async (scene) => {
    for (let round = 0; round < 3; round++) {
      const answers = await Promise.all(Array.from({ length: 8 }, () => submitted(scene, 'idle', { input: 'x' })));
      const ids = answers.filter(({ statusCode }) => statusCode === 200).map((one) => one.json().id);
      expect(ids).toHaveLength(2);
      for (const id of ids) await untilStatus(scene, id, 'completed');
      await expect.poll(() => scene.serve.load().active).toBe(0);
    }
  });
});

it('answers one job for one key and body, however often and however many at once', async () => {
  await withServeScene(idleWorkspace({ jobs: { max_concurrent: 2 } }), async (scene) => {
    const ask = (body: object, key = 'k-1', client = 'ci') =>
      submitted(scene, 'idle', body, { ...as('run', client), 'idempotency-key': key });
    const answers = await Promise.all(Array.from({ length: 20 }, () => ask({ input: { a: 1, b: 2 } })));
    expect(new Set(answers.map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
    const ids = new Set(answers.map((one) => one.json().id));
    expect(ids.size).toBe(1);
    // The same body in another order of its members is the same body.
    expect((await ask({ input: { b: 2, a: 1 } })).json().id).toBe([...ids][0]);
    const other = await ask({ input: 'other' });
    expect(other.json()).toMatchObject({ status: 409, code: 'idempotency-conflict' });
    expect((await ask({ input: 'other' }, 'k-1', 'somebody')).statusCode).toBe(200);
    expect((await ask({ input: 'x' }, 'not visible')).json()).toMatchObject({
      status: 422,
      errors: [{ pointer: '/headers/idempotency-key' }],
    });
    expect(await scene.jobs.list({ workspace: scene.directory })).toHaveLength(2);
  });
});

it('keeps the key of a caller apart from that of another workspace in the same database', async () => {
  const directory = await makeDirectory(idleWorkspace());
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  const headers = { ...as('run', 'ci'), 'idempotency-key': 'k-1' };
  const idIn = async (workspace: Readonly<Record<string, string | Uint8Array>>) => {
    writeFiles(directory, workspace);
    const scene = await openServeScene(directory);
    try {
      return (await submitted(scene, 'idle', { input: 'x' }, headers)).json().id;
    } finally {
      await scene.stop();
    }
  };
  const first = await idIn(idleWorkspace());
  expect(await idIn(idleWorkspace())).toBe(first);
  expect(await idIn(idleWorkspace({ workspace: { metadata: { id: 'another', name: 'Another' } } }))).not.toBe(first);
});

it('lets a caller ask for fewer steps than the workspace allows, and never for more', async () => {
  const limited = idleWorkspace({ workspace: { governance: { provider: 'mock', limits: { max_steps_per_run: 5 } } } });
  await withServeScene(limited, async (scene) => {
    const limitOf = async (maxSteps: number | null) => {
      const id = (await submitted(scene, 'idle', { input: 'x', max_steps: maxSteps })).json().id;
      const stores = await scene.stores();
      const job = await stores.jobs.get(id);
      const bytes = await stores.blobs.get(job?.snapshot ?? '');
      await untilStatus(scene, id, 'completed');
      return JSON.parse(new TextDecoder().decode(bytes ?? new Uint8Array())).limits.maxStepsPerRun;
    };
    expect(await limitOf(3)).toBe(3);
    expect(await limitOf(50)).toBe(5);
    expect(await limitOf(null)).toBe(5);
    expect((await submitted(scene, 'idle', { input: 'x', max_steps: 0 })).statusCode).toBe(422);
  });
});
