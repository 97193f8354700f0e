import { expect, it } from 'vitest';
import { act, read, submitted, untilStatus } from '../../../support/http/ask.js';
import { idleTopology, idleWorkspace } from '../../../support/http/idle-workspace.js';
import { as } from '../../../support/http/serve-group.js';
import { makeDirectory, openServeScene, type ServeScene, withServeScene } from '../../../support/http/serve-scene.js';

const route = (weights: readonly [number, number], promote_when?: object) => ({
  canary: {
    routes: [
      {
        topology: 'idle',
        versions: [
          { version: '1.0.0', weight: weights[0] },
          { version: '2.0.0', weight: weights[1] },
        ],
        ...(promote_when === undefined ? {} : { promote_when }),
      },
    ],
  },
});

const files = (weights: readonly [number, number], promoteWhen?: object) =>
  idleWorkspace({
    jobs: { max_concurrent: 50 },
    server: route(weights, promoteWhen),
    files: {
      'topologies/idle/v1.yaml': idleTopology('idle', { version: '1.0.0' }),
      'topologies/idle/v2.yaml': idleTopology('idle', { version: '2.0.0' }),
      'topologies/idle.yaml': idleTopology('other'),
    },
  });

/** Submits one run, waits for its end, and says which version it had. */
async function runOnce(scene: ServeScene, over: object = {}, topology = 'idle'): Promise<string> {
  const answer = await submitted(scene, topology, { input: 'x', ...over });
  expect(answer.statusCode).toBe(200);
  return String((await untilStatus(scene, answer.json().id, 'completed')).version);
}

const report = async (scene: ServeScene) => (await read(scene, '/canary')).json();

it('splits runs by weight, keeps a correlation together, and lets an explicit version be', async () => {
  await withServeScene(files([50, 50]), async (scene) => {
    const versions = await Promise.all(Array.from({ length: 30 }, () => runOnce(scene)));
    expect(new Set(versions)).toEqual(new Set(['1.0.0', '2.0.0']));
    const together = await Promise.all(Array.from({ length: 8 }, () => runOnce(scene, { correlation_id: 'ticket-1' })));
    expect(new Set(together).size).toBe(1);
    expect(await runOnce(scene, {}, 'idle@1.0.0')).toBe('1.0.0');
    const { enabled, routes } = await report(scene);
    expect(enabled).toBe(true);
    const counted = routes[0].versions.reduce(
      (sum: number, { metrics }: { metrics: { total_runs: number } }) => sum + metrics.total_runs,
      0,
    );
    // The version that was asked for by name went through no route.
    expect(counted).toBe(38);
  });
});

it('stays with the version of an earlier run of the correlation after a promotion', async () => {
  await withServeScene(files([100, 0]), async (scene) => {
    expect(await runOnce(scene, { correlation_id: 'old' })).toBe('1.0.0');
    const promoted = await scene.server.inject({
      method: 'POST',
      url: '/canary/idle/promote',
      headers: as('admin', 'ops'),
      payload: { version: '2.0.0' },
    });
    expect(promoted.json()).toEqual({
      promoted: true,
      topology: 'idle',
      version: '2.0.0',
      weights: { '1.0.0': 0, '2.0.0': 100 },
    });
    expect(await runOnce(scene)).toBe('2.0.0');
    expect(await runOnce(scene, { correlation_id: 'old' })).toBe('1.0.0');
    const { routes, promotions } = await report(scene);
    expect(routes[0]).toMatchObject({ topology: 'idle', override: true });
    expect(promotions[0]).toMatchObject({
      topology: 'idle',
      by: 'ops',
      reason: 'promote',
      old_weights: { '1.0.0': 100, '2.0.0': 0 },
    });
    const back = await act(scene, '/canary/idle/rollback', as('admin', 'ops'));
    expect(back.json()).toEqual({ rolled_back: true, topology: 'idle', weights: { '1.0.0': 100, '2.0.0': 0 } });
    expect(await runOnce(scene)).toBe('1.0.0');
  });
});

it('promotes a version by itself when its criteria are met, and says what is missing before', async () => {
  await withServeScene(files([0, 100], { min_runs: 3 }), async (scene) => {
    await runOnce(scene);
    const [before] = (await report(scene)).routes;
    expect(before.versions[1].promote_when.conditions).toContainEqual({
      name: 'min_runs',
      bound: 3,
      value: 1,
      met: false,
      note: '',
    });
  });
  await withServeScene(files([1, 99], { min_runs: 2 }), async (scene) => {
    // One correlation id whose draw falls on the second version.
    for (let n = 0; n < 40; n++) await runOnce(scene);
    await expect.poll(async () => (await report(scene)).promotions.length).toBe(1);
    const { routes, promotions } = await report(scene);
    expect(promotions[0]).toMatchObject({
      by: 'promote_when',
      reason: 'criteria',
      weights: { '1.0.0': 0, '2.0.0': 100 },
    });
    expect(routes[0].versions[1].weight).toBe(100);
  });
});

it('keeps a written condition on drift unmet, because no run measures drift', async () => {
  await withServeScene(files([1, 99], { min_runs: 1, drift_below: 0.3 }), async (scene) => {
    for (let n = 0; n < 5; n++) await runOnce(scene);
    const { routes, promotions } = await report(scene);
    expect(promotions).toEqual([]);
    expect(routes[0].versions[1].promote_when.conditions).toContainEqual({
      name: 'drift_below',
      bound: 0.3,
      value: null,
      met: false,
      note: 'no run has measured drift',
    });
  });
});

it('keeps counters and overrides over a restart', async () => {
  const directory = await makeDirectory(files([100, 0]));
  const first = await openServeScene(directory);
  await runOnce(first);
  await first.server.inject({
    method: 'POST',
    url: '/canary/idle/promote',
    headers: as('admin'),
    payload: { version: '2.0.0' },
  });
  await first.stop();
  const second = await openServeScene(directory);
  try {
    const { routes } = await report(second);
    expect(
      routes[0].versions.map(({ weight, metrics }: { weight: number; metrics: { total_runs: number } }) => [
        weight,
        metrics.total_runs,
      ]),
    ).toEqual([
      [0, 1],
      [100, 0],
    ]);
    expect(await runOnce(second)).toBe('2.0.0');
  } finally {
    await second.stop();
  }
});

it('changes nothing for a route or a version that is not there', async () => {
  await withServeScene(files([90, 10]), async (scene) => {
    const promote = (topology: string, payload: object) =>
      scene.server.inject({ method: 'POST', url: `/canary/${topology}/promote`, headers: as('admin'), payload });
    expect((await promote('idle', { version: '9.9.9' })).json()).toMatchObject({ status: 404, code: 'canary-unknown' });
    expect((await promote('other', { version: '1.0.0' })).json()).toMatchObject({
      status: 404,
      code: 'canary-unknown',
    });
    expect((await promote('idle', {})).json()).toMatchObject({ status: 422, code: 'request-invalid' });
    expect((await act(scene, '/canary/idle/rollback', as('run'))).statusCode).toBe(403);
    const { routes, promotions } = await report(scene);
    expect(routes[0].versions.map(({ weight }: { weight: number }) => weight)).toEqual([90, 10]);
    expect(promotions).toEqual([]);
  });
  await withServeScene(idleWorkspace(), async (scene) => {
    expect(await report(scene)).toEqual({ enabled: false, routes: [], promotions: [] });
  });
});
