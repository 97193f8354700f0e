import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { startServe } from '../../support/http/serve-process.js';
import { type LeaderServer, startLeaderServer } from '../leader-server.js';
import { localProvider, talk } from '../workspaces.js';
import { makeWorld, type World } from '../world.js';
import { gated } from './gated-workspace.js';

let world: World;
let model: LeaderServer;
beforeAll(async () => {
  [world, model] = await Promise.all([makeWorld(), startLeaderServer()]);
});
afterAll(async () => {
  await world.dispose();
  await model.close();
});

const LACK = 'the environment variable LOCAL_KEY is not set, and the provider local needs it';

it('a server without the key of a woken run says so, and leaves it to one that has it', async () => {
  const signed = gated();
  const at = world.files(
    'talk',
    talk({
      provider: 'local',
      root: '    funnel: sign-off\n',
      files: {
        'providers/local.yaml': localProvider,
        'funnels/sign-off.yaml': signed['funnels/sign-off.yaml'] ?? '',
        'roles/people.yaml': signed['roles/people.yaml'] ?? '',
      },
    }),
  );
  const [poor, rich] = [{ MODEL_URL: model.url }, { MODEL_URL: model.url, LOCAL_KEY: 'local-test-key' }];
  const run = await world.here(['run', at, 'talk', '--input', 'hi', '--as', 'dana'], { env: rich });
  expect(run.code, run.stderr).toBe(3);
  const [, id = ''] = /run ([0-9a-f]{12})/.exec(run.stderr) ?? [];
  const paid = model.asked().length;
  const server = await startServe([at], { ...world.env, ...poor });
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await server.ended;
  });
  expect(server.stderr()).toContain(LACK);

  for (const role of ['qa', 'ops']) {
    const item = `mpa-${id}:boss-0-${role}`;
    const { code, stderr } = await world.here(['review', 'resolve', item, at, '--as', `${role}-1`, '--approve'], {
      env: poor,
    });
    expect(code, stderr).toBe(0);
  }

  const read = async (path: string): Promise<unknown> => (await fetch(`${server.url}${path}`)).json();
  await vi.waitFor(
    async () => expect(await read('/queue/stats')).toMatchObject({ blocked: [{ jobs: 1, missing: [LACK] }] }),
    { timeout: 30_000, interval: 50 },
  );
  // It claims once a second: the run is there after it has looked.
  const resumed = await world.here(['run', at, 'talk', `--resume=${id}`], { env: poor });
  expect([resumed.code, resumed.stderr]).toEqual([2, expect.stringContaining(LACK)]);
  expect(await read(`/jobs/${id}`)).toMatchObject({ status: 'pending', attempt: 1 });

  const done = await world.here(['run', at, 'talk', `--resume=${id}`], { env: rich });
  expect(done.code, done.stderr).toBe(0);
  expect(await read(`/jobs/${id}`)).toMatchObject({ status: 'completed' });
  expect(model.asked().length).toBe(paid);
});
