import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Reply } from '../support/model-server.js';
import { openScene, type Scene } from './why/scene.js';
import { makeWorld, type World } from './world.js';

let world: World;
let scene: Scene;
beforeAll(async () => {
  world = await makeWorld();
  scene = await openScene(world);
});
afterAll(async () => {
  await scene.close();
  await world.dispose();
});

const DOWN: Reply = { do: 'status', status: 503 };
const UP: Reply = { do: 'answer', text: 'ok' };
const WAITS = /the provider local is down \(provider\.overloaded, try 1\): waits until [-0-9: ]{19} UTC/;
const run = (...flags: readonly string[]) => scene.start('run', 'talk', '--input', 'hi', ...flags);
/** The types of what the log holds of a run. */
async function typesOf(id: string): Promise<readonly string[]> {
  const { stdout } = await scene.kit('logs', '--run-id', id, '--json');
  return [...stdout.matchAll(/"event_type": ?"([a-z_.]+)"/g)].map(([, type = '']) => type);
}

it('a run waits for a model server that is down, says so, and goes on in the same process', async () => {
  let asked = 0;
  scene.reply = () => (asked++ === 0 ? DOWN : UP);
  const live = run('--patience', '1m');
  const { code, stderr, stdout } = await live.ended;
  expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: 'ok\n' });
  expect(stderr).toMatch(WAITS);
  expect(asked).toBe(2);
});

it('a run that is killed while it waits is stopped, and nothing of it is repeated', async () => {
  // Long enough for all that looks at it, on a busy machine too.
  scene.reply = { ...DOWN, headers: { 'retry-after': '120' } };
  const live = run('--json', '--patience', '5m');
  const [, id = ''] = await live.sees(/"run_id":"([0-9a-f]{12})"/);
  await live.sees(/"step\.waiting"/);
  expect(await scene.why(id)).toMatchObject({ code: 'running.outage' });
  for (const look of [['status'], ['trace', id]]) expect((await scene.kit(...look)).stdout).toMatch(WAITS);
  live.child.kill('SIGKILL');
  await live.ended;
  expect(await scene.why(id)).toMatchObject({ code: 'stopped.process-died' });
  scene.reply = UP;
  const resumed = await scene.kit('run', `--resume=${id}`);
  expect(resumed.code, resumed.stderr).toBe(0);
  const types = await typesOf(id);
  expect(types.filter((type) => type === 'step.waiting')).toHaveLength(1);
  expect(types).not.toContain('step.repeated');
});

it('a run without patience fails as it did', async () => {
  scene.reply = DOWN;
  const { code, stderr } = await scene.kit('run', 'talk', '--input', 'hi', '--patience', '0');
  expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('provider.overloaded') });
});

it('a time that is none, and a run that was submitted already, are refused', async () => {
  const odd = await scene.kit('run', 'talk', '--input', 'hi', '--patience', 'long');
  expect(odd).toMatchObject({ code: 2, stderr: expect.stringContaining('--patience long is not a time') });
  const late = await scene.kit('run', '--resume', '--patience', '5');
  expect(late).toMatchObject({ code: 2, stderr: expect.stringContaining('--patience cannot be changed') });
});

it('a turn of a conversation waits as a run does, and says so without --verbose', async () => {
  let asked = 0;
  scene.reply = () => (asked++ === 0 ? DOWN : UP);
  // The patience of a run that nobody sees a terminal of, where the variable is not set.
  scene.env.KIT_OUTAGE_PATIENCE_S = undefined;
  const { code, stderr, stdout } = await scene.kit('chat', 'talk', '--input', 'hi');
  expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: 'ok\n' });
  expect(stderr).toMatch(WAITS);
  expect(stderr).not.toContain('asked');
});
