import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ModelServer, type Reply, startModelServer } from '../support/model-server.js';
import { localProvider, talk } from './workspaces.js';
import { type LiveKit, lastOf, makeWorld, type World } from './world.js';

let world: World;
let server: ModelServer;
let reply: Reply;
let dir: string;
beforeAll(async () => {
  world = await makeWorld();
  server = await startModelServer(() => reply);
  const files = { 'providers/local.yaml': localProvider };
  dir = world.files('talk', talk({ provider: 'local', files }));
});
afterAll(async () => {
  await server.close();
  await world.dispose();
});

const ANSWER: Reply = { do: 'answer', text: 'all done' };
const env = () => ({ MODEL_URL: server.url, LOCAL_KEY: 'key-of-the-test' });
const never = new Promise<never>(() => undefined);

/** A stream that says one piece and then waits for ever. */
const SLOW: Reply = { do: 'drip', text: 'one piece, and then another', between: () => never };

const started = (...flags: readonly string[]): LiveKit =>
  world.start(['run', dir, 'talk', '--input', 'hi', '--json', ...flags], { env: env(), stdin: '' });

/** Ends with exit 4, asks for nothing more, and a resume goes on. */
async function interrupts(live: LiveKit): Promise<void> {
  const asked = server.requests.length;
  live.child.kill('SIGINT');
  const stopped = await live.ended;
  reply = ANSWER;
  // The run is over: what it would still ask for would come now.
  const resumed = await world.kit(['run', dir, 'talk', '--resume', '--json'], { env: env() });

  expect(stopped.code, stopped.stderr).toBe(4);
  expect(lastOf(stopped)).toMatchObject({ type: 'result', status: 'stopped' });
  expect(resumed.code, resumed.stderr).toBe(0);
  expect(lastOf(resumed)).toMatchObject({ status: 'completed', output: 'all done', id: lastOf(stopped).id });
  expect(server.requests).toHaveLength(asked + 1);
}

describe('one SIGINT', () => {
  it('in the middle of a stream gives it up', async () => {
    reply = SLOW;
    const before = server.requests.length;
    const live = started();
    await expect.poll(() => server.requests.length, { timeout: 60_000 }).toBe(before + 1);

    await interrupts(live);
  });

  it('while a run waits for its provider ends the wait', async () => {
    reply = { do: 'status', status: 503 };
    const live = world.start(['run', dir, 'talk', '--input', 'hi', '--json'], {
      env: { ...env(), KIT_MODEL_RETRIES: '0', KIT_OUTAGE_PATIENCE_S: '900' },
      stdin: '',
    });
    await live.sees(/"step.waiting"/);

    await interrupts(live);
  });

  it('before the next try of a call sends none', async () => {
    reply = { do: 'status', status: 429, headers: { 'retry-after': '9' } };
    const before = server.requests.length;
    const live = started();
    await expect.poll(() => server.requests.length, { timeout: 60_000 }).toBe(before + 1);

    await interrupts(live);
  });
});
