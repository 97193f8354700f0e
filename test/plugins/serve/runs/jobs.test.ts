import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { act, read, submitted, untilStatus } from '../../../support/http/ask.js';
import { idleTopology, idleWorkspace } from '../../../support/http/idle-workspace.js';
import { as } from '../../../support/http/serve-group.js';
import { type ServeScene, withServeScene } from '../../../support/http/serve-scene.js';

const SLOW = { env: { KIT_MOCK_LATENCY_MS: '600000' } };
const ids = (answer: { json(): { id: string }[] }): readonly string[] => answer.json().map(({ id }) => id);

async function finished(scene: ServeScene, topology: string, body: object): Promise<string> {
  const { id } = (await submitted(scene, topology, body)).json();
  await untilStatus(scene, id, 'completed');
  return id;
}

describe('lists of jobs', () => {
  it('are newest first, narrowed by each filter, and paged by the last id', async () => {
    const files = {
      'topologies/other.yaml': idleTopology('other'),
      'topologies/idle-2.yaml': idleTopology('idle', { version: '2.0.0' }),
    };
    await withServeScene(idleWorkspace({ files }), async (scene) => {
      const first = await finished(scene, 'idle@1.0.0', { input: 'a', correlation_id: 't-1', labels: { x: 'y' } });
      const second = await finished(scene, 'idle', { input: 'b', correlation_id: 't-1', supersedes: first });
      const third = await finished(scene, 'other', { input: 'c' });
      const list = (query: string) => read(scene, `/jobs${query}`);

      expect(ids(await list(''))).toEqual([third, second, first]);
      expect(ids(await read(scene, '/jobs/history'))).toEqual([third, second, first]);
      expect(ids(await list('?correlation_id=t-1'))).toEqual([second, first]);
      expect(ids(await list('?topology=idle'))).toEqual([second, first]);
      expect(ids(await list('?topology=idle%402.0.0'))).toEqual([second]);
      expect(ids(await list('?status=completed,failed&source=serve'))).toEqual([third, second, first]);
      expect(ids(await list('?status=running'))).toEqual([]);
      expect(ids(await list('?source=cli'))).toEqual([]);
      expect(ids(await list('?limit=2'))).toEqual([third, second]);
      expect(ids(await list(`?limit=2&before=${second}`))).toEqual([first]);
      expect((await list('')).json()[1]).toMatchObject({
        id: second,
        parent_job_id: first,
        correlation_id: 't-1',
        version: '2.0.0',
        labels: {},
      });
      const [row] = (await list('?limit=1')).json();
      const whole = (await read(scene, `/jobs/${third}`)).json();
      const { input, output, ...rest } = whole;
      expect(row).toEqual(rest);
      expect((await list('?limit=1&fields=all')).json()).toEqual([{ ...rest, input, output }]);
      expect((await list('?before=0123456789ab')).json()).toMatchObject({ status: 404, code: 'job-unknown' });
      for (const bad of ['?fields=all&limit=51', '?fields=some', '?limit=0', '?limit=1001', '?status=done', '?limit=x'])
        expect((await list(bad)).json(), bad).toMatchObject({ status: 422, code: 'request-invalid' });
    });
  });

  it('make no store where there is none', async () => {
    const { makeDirectory } = await import('../../../support/http/serve-scene.js');
    const { openSceneApp } = await import('../../../support/scene/scene-app.js');
    const directory = await makeDirectory(idleWorkspace());
    const app = openSceneApp(directory, { env: { PATH: process.env.PATH ?? '', HOME: directory } });
    expect(await app.jobs.list({ workspace: directory })).toEqual([]);
    expect(await app.jobs.queueStats({ workspace: directory })).toMatchObject({
      queued: 0,
      running: 0,
      oldestQueuedAgeMs: null,
    });
    await expect(app.jobs.get({ workspace: directory, job: 'aaaabbbbcccc' })).rejects.toMatchObject({
      code: 'KIT_JOB_UNKNOWN',
    });
    expect(existsSync(join(directory, '.kit'))).toBe(false);
    await app.close();
  });
});

describe('one job', () => {
  it('is unknown with 404 wherever it is named, and a prefix of an id is not an id', async () => {
    await withServeScene(idleWorkspace(), async (scene) => {
      const id = await finished(scene, 'idle', { input: 'a' });
      for (const name of ['aaaabbbbcccc', id.slice(0, 8), '..%2f..%2fetc', '%00']) {
        for (const url of [`/jobs/${name}`, `/jobs/${name}/diff`, `/jobs/${name}/stream`])
          expect((await read(scene, url)).json()).toMatchObject({ status: 404, code: 'job-unknown' });
        for (const what of ['resume', 'stop'])
          expect((await act(scene, `/jobs/${name}/${what}`)).json()).toMatchObject({
            status: 404,
            code: 'job-unknown',
          });
      }
      expect((await read(scene, `/jobs/${id}/diff`)).json()).toMatchObject({ status: 404, code: 'diff-unknown' });
    });
  });

  it('shows the queue with every field', async () => {
    await withServeScene(idleWorkspace({ jobs: { max_concurrent: 1 } }), async (scene) => {
      expect((await read(scene, '/queue/stats')).json()).toEqual({
        queued: 0,
        running: 0,
        waiting_for_outage: 0,
        next_outage_look_at: null,
        oldest_queued_age_seconds: null,
        queue_wait_p50_seconds: null,
        queue_wait_p95_seconds: null,
        execution_p50_seconds: null,
        execution_p95_seconds: null,
        depth_by_topology: {},
        sample_size: 0,
        blocked: [],
      });
      await finished(scene, 'idle', { input: 'a' });
      expect((await read(scene, '/queue/stats')).json()).toMatchObject({
        sample_size: 1,
        execution_p50_seconds: expect.any(Number),
      });
    });
  });
});

describe('stopping and going on', () => {
  it('stops a job that runs at its next boundary, once, and says who asked', async () => {
    await withServeScene(
      idleWorkspace(),
      async (scene) => {
        const { id } = (await submitted(scene, 'idle', { input: 'x' })).json();
        await untilStatus(scene, id, 'running');
        const first = (await act(scene, `/jobs/${id}/stop`, as('run', 'ops'))).json();
        expect(first).toMatchObject({
          job_id: id,
          status: 'running',
          already_requested: false,
          stop_requested_at: expect.any(String),
        });
        const again = (await act(scene, `/jobs/${id}/stop`, as('run', 'else'))).json();
        expect(again).toMatchObject({ already_requested: true, stop_requested_at: first.stop_requested_at });
        const events = await (await scene.stores()).events.readRun(id, 0, 100);
        expect(events.filter(({ type }) => type === 'run.stopped').map(({ payload }) => payload)).toMatchObject([
          { requested_by: 'ops' },
        ]);
      },
      SLOW,
    );
  });

  it('leaves a finished job alone, and refuses to resume it', async () => {
    await withServeScene(idleWorkspace(), async (scene) => {
      const id = await finished(scene, 'idle', { input: 'a' });
      const stop = await act(scene, `/jobs/${id}/stop`);
      expect(stop.statusCode).toBe(200);
      expect(stop.json()).toMatchObject({
        job_id: id,
        status: 'completed',
        stop_requested_at: null,
        already_requested: false,
      });
      expect((await act(scene, `/jobs/${id}/resume`)).json()).toMatchObject({ status: 409, code: 'job-not-resumable' });
    });
  });

  it('resumes a stopped job without asking for a free slot', async () => {
    await withServeScene(
      idleWorkspace({ jobs: { max_concurrent: 1 } }),
      async (scene) => {
        const stores = await scene.stores();
        const { id } = (await submitted(scene, 'idle', { input: 'x' })).json();
        await untilStatus(scene, id, 'running');
        expect((await act(scene, `/jobs/${id}/resume`)).json()).toMatchObject({ status: 409 });
        // One that nobody has claimed is stopped at once.
        const waiting = await stores.jobs.get(id);
        if (waiting === null) throw new Error('the job is gone');
        const other = await scene.insertPending(waiting);
        expect((await act(scene, `/jobs/${other}/stop`)).json()).toMatchObject({
          status: 'stopped',
          already_requested: false,
        });
        const resumed = await act(scene, `/jobs/${other}/resume`, as('run', 'ops'));
        expect(resumed.statusCode).toBe(200);
        expect(resumed.json()).toMatchObject({ id: other, status: 'pending', stop_requested_at: null });
        expect((await act(scene, `/jobs/${other}/resume`)).json()).toMatchObject({ status: 409 });
        expect(scene.serve.load()).toEqual({ active: 1, maxConcurrent: 1 });
        const events = await stores.events.readRun(other, 0, 100);
        expect(events.map(({ type }) => type)).toContain('run.resumed');
      },
      SLOW,
    );
  });
});
