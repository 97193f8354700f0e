import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startServe } from '../../support/http/serve-process.js';
import { type ModelServer, startModelServer } from '../../support/model-server.js';
import { triggerFile } from '../../support/triggers/trigger-world.js';
import { localProvider, talk } from '../workspaces.js';
import { makeWorld, type World } from '../world.js';

let world: World;
let model: ModelServer;
const held = Promise.withResolvers<void>();

beforeAll(async () => {
  world = await makeWorld();
  model = await startModelServer(() => ({ do: 'hold', until: held.promise, reply: { do: 'answer', text: 'late' } }));
});
afterAll(async () => {
  held.resolve();
  await model.close();
  await world.dispose();
});

it('Ctrl-C while a fired trigger is shown stops every run that the server began for it, and names each', async () => {
  const files = talk({
    provider: 'local',
    files: {
      'providers/local.yaml': localProvider,
      'triggers/twice.yaml': triggerFile('twice', 'type: manual\ntargets: [talk, talk@1.0.0]\n'),
    },
  });
  const server = await startServe([world.files('fired', files)], {
    ...world.env,
    MODEL_URL: model.url,
    LOCAL_KEY: 'key-of-the-test',
  });
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await server.ended;
  });
  const statuses = async (): Promise<readonly string[]> =>
    ((await (await fetch(`${server.url}/jobs`)).json()) as { status: string }[]).map(({ status }) => status);

  const kit = world.start(['triggers', 'fire', 'twice', '--input', 'go', '--server', server.url]);
  await kit.sees(/started/);
  await expect.poll(statuses).toEqual(['running', 'running']);
  kit.child.kill('SIGINT');
  const ended = await kit.ended;

  expect(ended.code).toBe(4);
  expect(ended.stderr).toMatch(/run [0-9a-f]{12} of talk@1\.0\.0 was asked to stop/);
  await expect.poll(statuses).toEqual(['stopped', 'stopped']);
});
