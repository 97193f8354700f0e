import { expect, it, onTestFinished } from 'vitest';
import { until as eventually, isRunning } from '../../support/processes.js';
import { callOf, inputOf, startCallingModel, toolScene } from '../tools/tool-world.js';
import { ask, openFleet, until } from './fleet.js';

it('runs of one worker share a tool server, which ends with the worker', { timeout: 180_000 }, async () => {
  const [fleet, model] = await Promise.all([openFleet(), startCallingModel()]);
  onTestFinished(() => model.close());
  const workspace =
    'storage: { runtime: { backend: postgres, url: "${RUNS_URL}" } }\nserver: { jobs: { lease_seconds: 3 } }\n';
  const scene = toolScene(fleet.world, 'shared', { tools: ['look'], workspace });
  const started = () => scene.notes().filter(({ did }) => did === 'started').length;
  const { api, worker } = fleet.by({ env: { MODEL_URL: model.url } });
  const [front, live] = [await api(scene.dir), await worker(scene.dir, '--concurrency', '3')];

  for (const texts of [['a', 'b', 'c'], ['d']]) {
    const submits = texts.map((text) => ask(front, '/run/talk', { input: inputOf([callOf('look', text)]) }));
    for (const { body } of await Promise.all(submits)) await until(front, body.id, 'completed');
  }

  expect(scene.notes().filter(({ did }) => did === 'look')).toHaveLength(4);
  expect(started()).toBe(1);
  live.child.kill('SIGTERM');
  expect((await live.ended).code).toBe(0);
  await eventually('no server is left', () => scene.notes().every(({ pid }) => !isRunning(pid)));
});
