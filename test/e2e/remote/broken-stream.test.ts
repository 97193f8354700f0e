import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { openCutProxy } from '../../support/cut-proxy.js';
import { startServe } from '../../support/http/serve-process.js';
import { type ModelServer, startModelServer } from '../../support/model-server.js';
import { localProvider, talk } from '../workspaces.js';
import { lastOf, makeWorld, type World } from '../world.js';

let world: World;
let model: ModelServer;
let isHeld = Promise.withResolvers<void>();

beforeAll(async () => {
  world = await makeWorld();
  model = await startModelServer(() => ({
    do: 'hold',
    until: isHeld.promise,
    reply: { do: 'answer', text: 'done at last' },
  }));
});
afterAll(async () => {
  isHeld.resolve();
  await model.close();
  await world.dispose();
});

it('a run that is followed through a line that breaks and comes back shows every event once, in order', async () => {
  isHeld = Promise.withResolvers<void>();
  const dir = world.files('far', talk({ provider: 'local', files: { 'providers/local.yaml': localProvider } }));
  const env = { ...world.env, MODEL_URL: model.url, LOCAL_KEY: 'key-of-the-test' };
  const server = await startServe([dir], env);
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await server.ended;
  });
  const line = await openCutProxy(server.url);
  onTestFinished(() => line.close());

  const kit = world.start(['run', 'talk', '--input', 'take your time', '--json', '--server', line.url]);
  await kit.sees(/"event_type":"agent.started"/);
  line.set('cut');
  isHeld.resolve();
  // The run ends while nobody can look.
  const ask = async () => ((await (await fetch(`${server.url}/jobs`)).json()) as { status: string }[])[0]?.status;
  await expect.poll(ask).toBe('completed');
  line.set('whole');
  const ended = await kit.ended;

  const events = ended.lines().filter(({ type }) => type === 'event');
  expect(ended.code).toBe(0);
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
  expect(events.at(-1)).toMatchObject({ event_type: 'run.ended' });
  expect(lastOf(ended)).toMatchObject({ type: 'result', status: 'completed', output: 'done at last' });
});
