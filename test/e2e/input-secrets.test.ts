import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startServe } from '../support/http/serve-process.js';
import { talk } from './workspaces.js';
import { makeWorld, type World } from './world.js';

const TOKEN = 'planted-token-4f1b9c';
const SAID = /the input holds a value that is kept secret here/;

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

const workspaceOf = (name: string): string =>
  world.files(name, talk({ workspace: 'credentials:\n  token: { source: env, config: { env: PLANTED } }\n' }));
const env = { PLANTED: TOKEN };

it.each([
  ['as it is', `deploy with ${TOKEN}`, true],
  ['in base64', `deploy with ${Buffer.from(TOKEN).toString('base64')}`, true],
  ['not at all', 'deploy', false],
])('kit run says of an input that holds a secret %s that it is kept', async (name, input, isSaid) => {
  const dir = workspaceOf(`input-${name.replaceAll(' ', '-')}`);

  const run = await world.here(['run', dir, 'talk', '--input', input], { env });

  expect(run.code, run.stderr).toBe(0);
  expect(SAID.test(run.stderr)).toBe(isSaid);
  // Which secret it is stands nowhere.
  expect(run.stderr).not.toContain(TOKEN);
});

it('POST /run says it in the warnings of its answer', async () => {
  const server = await startServe([workspaceOf('input-http')], { ...world.env, ...env });
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await server.ended;
  });
  const submit = async (input: string): Promise<readonly string[]> => {
    const response = await fetch(`${server.url}/run/talk`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ input }),
    });
    return ((await response.json()) as { readonly warnings: readonly string[] }).warnings;
  };

  expect(await submit(`deploy with ${TOKEN}`)).toEqual([expect.stringMatching(SAID)]);
  expect(await submit('deploy')).toEqual([]);
});
