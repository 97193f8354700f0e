import { rm } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { KitError } from '../../../../src/domain/errors.js';
import type { Log } from '../../../../src/domain/ports/system.js';
import { gated } from '../../../e2e/review/gated-workspace.js';
import { act, read, submitted, untilStatus } from '../../../support/http/ask.js';
import { idleTopology, idleWorkspace } from '../../../support/http/idle-workspace.js';
import { makeDirectory, openServeScene, withServeScene } from '../../../support/http/serve-scene.js';
import { makeHome, runKit } from '../../../support/kit-process.js';

const SLOW = { KIT_MOCK_LATENCY_MS: '600000' };

describe('a run that waits at a gate', () => {
  it('goes on within two seconds of a decision by kit review in another process, and its stream ended meanwhile', async () => {
    const home = await makeHome();
    try {
      await withServeScene(gated(), async (scene) => {
        const { id } = (await submitted(scene, 'release', { input: 'Write it.' })).json();
        const parked = await untilStatus(scene, id, 'deferred');
        expect(parked).toMatchObject({
          error: expect.stringContaining(`${id}:writer`),
          waiting_on: [`${id}:writer`],
          worker_id: null,
        });
        expect((await read(scene, `/jobs/${id}/stream`)).body).toMatch(/\[done\] status=deferred\n\n$/);
        await expect.poll(() => scene.serve.load().active).toBe(0);

        const decide = (role: string, person: string) =>
          runKit(
            [
              'review',
              'resolve',
              `mpa-${id}:writer-0-${role}`,
              '--as',
              person,
              '--approve',
              '--no-resume',
              '-w',
              scene.directory,
            ],
            {
              env: home.env,
            },
          );
        expect((await decide('qa', 'qa-1')).code).toBe(0);
        expect((await scene.jobs.get({ workspace: scene.directory, job: id })).status).toBe('deferred');
        expect((await decide('ops', 'ops-1')).code).toBe(0);
        await untilStatus(scene, id, 'completed');
      });
    } finally {
      await home.remove();
    }
  });

  it('can be stopped, and then takes no decision', async () => {
    await withServeScene(gated(), async (scene) => {
      const { id } = (await submitted(scene, 'release', { input: 'Write it.' })).json();
      await untilStatus(scene, id, 'deferred');
      expect((await act(scene, `/jobs/${id}/stop`)).json()).toMatchObject({
        status: 'stopped',
        already_requested: false,
      });
      expect((await act(scene, `/jobs/${id}/resume`)).json()).toMatchObject({ status: 'pending' });
      await untilStatus(scene, id, 'deferred');
    });
  });
});

describe('the work loop', () => {
  it('claims what another process left waiting, the highest priority first, and never more than its slots', async () => {
    const directory = await makeDirectory(idleWorkspace({ jobs: { max_concurrent: 2 } }));
    const first = await openServeScene(directory, { env: SLOW });
    const { id } = (await submitted(first, 'idle', { input: 'x' })).json();
    const like = await (await first.stores()).jobs.get(id);
    if (like === null) throw new Error('the job is gone');
    await first.stop();
    const scene = await openServeScene(directory, { env: SLOW });
    try {
      await untilStatus(scene, id, 'running');
      const ids: string[] = [];
      for (const priority of [1, 5, 3]) ids.push(await scene.insertPending({ ...like, priority }));
      await expect.poll(() => scene.serve.load().active).toBe(2);
      const statuses = async () =>
        Promise.all(ids.map(async (one) => (await scene.jobs.get({ workspace: directory, job: one })).status));
      await expect.poll(async () => (await statuses()).filter((status) => status === 'running').length).toBe(1);
      expect((await submitted(scene, 'idle', { input: 'x' })).statusCode).toBe(429);
      await act(scene, `/jobs/${id}/stop`);
    } finally {
      await scene.stop();
      await rm(directory, { recursive: true, force: true });
    }
  });

  it('leaves the jobs of another workspace in the same store alone', async () => {
    await withServeScene(idleWorkspace(), async (scene) => {
      const { id } = (await submitted(scene, 'idle', { input: 'x' })).json();
      const like = await scene.jobs.get({ workspace: scene.directory, job: id });
      expect(like.needs.workspace).toBe('served');
      const foreign = await scene.insertPending({ ...like, needs: { ...like.needs, workspace: 'another' } });
      const own = await scene.insertPending(like);
      await untilStatus(scene, own, 'completed');
      expect(await scene.jobs.get({ workspace: scene.directory, job: foreign })).toMatchObject({
        status: 'pending',
        attempt: 0,
      });
    });
  });

  it('waits out a store that fails, says so, and goes on', async () => {
    const lines: string[] = [];
    const note = (message: string): void => void lines.push(message);
    const log: Log = { debug: () => {}, info: () => {}, warn: note, error: note };
    let failures = 0;
    await withServeScene(
      idleWorkspace(),
      async (scene) => {
        const { id } = (await submitted(scene, 'idle', { input: 'x' })).json();
        await untilStatus(scene, id, 'completed');
        expect(failures).toBe(2);
        expect(lines.filter((line) => line === 'the queue could not be read')).toHaveLength(2);
      },
      {
        log,
        wrap: (stores) => {
          const jobs = Object.create(stores.jobs);
          jobs.claim = (request: Parameters<typeof stores.jobs.claim>[0]) => {
            failures += 1;
            if (failures <= 2) return Promise.reject(new KitError('KIT_STORE_BUSY', 'the disk is full'));
            failures = 2;
            return stores.jobs.claim(request);
          };
          for (const name of [
            'insert',
            'get',
            'list',
            'sweep',
            'isStopRequested',
            'heartbeat',
            'waitForWork',
            'release',
            'resume',
            'requestStop',
            'diffs',
          ] as const)
            jobs[name] = (...args: never[]) =>
              (stores.jobs[name] as (...all: never[]) => unknown).apply(stores.jobs, args);
          return { ...stores, jobs, close: () => stores.close() };
        },
      },
    );
  });
});

it('gives back a run that it could not open, and claims it again', async () => {
  const lines: string[] = [];
  const note = (message: string): void => void lines.push(message);
  let opened = 0;
  await withServeScene(
    idleWorkspace(),
    async (scene) => {
      const { id } = (await submitted(scene, 'idle', { input: 'x' })).json();
      expect(await untilStatus(scene, id, 'completed')).toMatchObject({ attempt: 2 });
      expect(lines).toContain('a run could not be carried out');
      expect(opened).toBeGreaterThan(1);
    },
    {
      log: { debug: () => {}, info: () => {}, warn: note, error: note },
      wrap: (stores) => ({
        ...stores,
        blobs: {
          put: (bytes) => stores.blobs.put(bytes),
          get: (sha256) => {
            opened += 1;
            return opened === 1
              ? Promise.reject(new KitError('KIT_STORE_BUSY', 'the disk is full'))
              : stores.blobs.get(sha256);
          },
        },
        close: () => stores.close(),
      }),
    },
  );
});

describe('a reload', () => {
  it('gives new runs the new files, leaves running ones theirs, and changes the number of slots', async () => {
    await withServeScene(
      idleWorkspace({ jobs: { max_concurrent: 1 } }),
      async (scene) => {
        const { id } = (await submitted(scene, 'idle', { input: 'x' })).json();
        await untilStatus(scene, id, 'running');
        scene.write({ ...idleWorkspace({ jobs: { max_concurrent: 2 } }), 'topologies/new.yaml': idleTopology('new') });
        expect((await submitted(scene, 'new', { input: 'x' })).statusCode).toBe(404);
        let reported = 0;
        const off = scene.serve.onReload(() => {
          reported += 1;
        });
        expect(await scene.serve.reload()).toEqual({
          valid: true,
          topologies: ['idle@1.0.0', 'new@1.0.0'],
          skills: [],
          archetypes: [],
        });
        off();
        expect((await submitted(scene, 'new', { input: 'x' })).statusCode).toBe(200);
        expect((await submitted(scene, 'new', { input: 'x' })).statusCode).toBe(429);
        expect((await scene.jobs.get({ workspace: scene.directory, job: id })).status).toBe('running');
        await scene.serve.reload();
        expect(reported).toBe(1);
      },
      { env: SLOW },
    );
  });

  it('leaves everything as it was when a file is wrong, and says what and where', async () => {
    await withServeScene(idleWorkspace(), async (scene) => {
      scene.write({ 'topologies/idle.yaml': '{ "apiVersion": "kit/v1", "kind": "Topology" }' });
      const report = await scene.serve.reload();
      expect(report).toMatchObject({ valid: false });
      expect(report.valid ? [] : report.errors[0]).toMatchObject({
        path: 'topologies/idle.yaml',
        code: expect.any(String),
        message: expect.any(String),
      });
      expect((await submitted(scene, 'idle', { input: 'x' })).statusCode).toBe(200);
      scene.write(
        idleWorkspace({
          workspace: { storage: { runtime: { backend: 'postgres', url: 'postgres://127.0.0.1:9/kit' } } },
        }),
      );
      expect(await scene.serve.reload()).toMatchObject({
        valid: false,
        errors: [{ code: 'KIT_STORE_UNAVAILABLE', path: 'workspace.yaml' }],
      });
      expect((await submitted(scene, 'idle', { input: 'x' })).statusCode).toBe(200);
    });
  });

  it('keeps what a parked run was submitted with', async () => {
    await withServeScene(gated(), async (scene) => {
      const { id } = (await submitted(scene, 'release', { input: 'Write it.' })).json();
      await untilStatus(scene, id, 'deferred');
      const { snapshot } = await scene.jobs.get({ workspace: scene.directory, job: id });
      scene.write({
        'topologies/release.yaml': String(gated()['topologies/release.yaml']).replace(
          'version: 1.0.0',
          'version: 2.0.0',
        ),
      });
      expect(await scene.serve.reload()).toMatchObject({ valid: true });
      await act(scene, `/jobs/${id}/resume`);
      await untilStatus(scene, id, 'deferred');
      expect(await scene.jobs.get({ workspace: scene.directory, job: id })).toMatchObject({
        snapshot,
        version: '1.0.0',
      });
    });
  });
});

describe('a server that is not there', () => {
  it('says so before it has started and once it shuts down', async () => {
    await withServeScene(idleWorkspace(), async (scene) => {
      await scene.serve.drain(0);
      expect((await submitted(scene, 'idle', { input: 'x' })).json()).toMatchObject({ status: 503, code: 'not-ready' });
      await expect(scene.serve.reload()).rejects.toMatchObject({ code: 'KIT_NOT_READY' });
      expect(scene.serve.load()).toEqual({ active: 0, maxConcurrent: expect.any(Number) });
    });
  });
});
