import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startServe } from '../../support/http/serve-process.js';
import type { KitResult } from '../../support/kit-process.js';
import { type LeaderServer, startLeaderServer } from '../leader-server.js';
import { gated } from '../review/gated-workspace.js';
import { localProvider, talk } from '../workspaces.js';
import { lastOf, makeWorld, type World } from '../world.js';

interface Debugged {
  readonly kept: number;
  readonly prompts: readonly {
    readonly step_key: string;
    readonly agent_id: string;
    readonly prompt: { readonly messages: readonly { readonly role: string }[]; readonly messages_left_out?: number };
  }[];
}

let world: World;
let server: LeaderServer;
beforeAll(async () => {
  [world, server] = await Promise.all([makeWorld(), startLeaderServer()]);
});
afterAll(async () => {
  await server.close();
  await world.dispose();
});

const talkingTo = (name: string, workspace = ''): string =>
  world.files(name, talk({ provider: 'local', workspace, files: { 'providers/local.yaml': localProvider } }));
const env = (): NodeJS.ProcessEnv => ({ MODEL_URL: server.url, LOCAL_KEY: 'key-of-the-test' });
const kit = (argv: readonly string[]): Promise<KitResult> => world.kit(argv, { env: env() });
const debug = async (dir: string, ...argv: readonly string[]): Promise<Debugged> =>
  lastOf(await kit(['debug', ...argv, '-w', dir, '--json'])) as unknown as Debugged;
const rolesOf = ({ prompts }: Debugged): readonly (readonly string[])[] =>
  prompts.map(({ agent_id: agent, prompt }) => [agent, ...prompt.messages.map(({ role }) => role)]);

it('tells the calls of a run that goes on, of one whose process was killed, and of what took it over', {
  timeout: 120_000,
}, async () => {
  const dir = talkingTo('killed');
  server.hold();
  const live = world.start(['run', dir, 'talk', '--input', 'say hi'], { env: env(), stdin: '' });
  await server.held();
  // It is written while the next call is under way: nothing of the run has ended.
  await expect.poll(() => debug(dir), { timeout: 60_000 }).toMatchObject({ kept: 1 });
  live.child.kill('SIGKILL');
  await live.ended;
  expect(rolesOf(await debug(dir))).toEqual([['boss', 'system', 'user']]);

  server.release();
  const resumed = lastOf(await kit(['run', dir, 'talk', '--resume', '--json']));
  expect(resumed).toMatchObject({ status: 'completed', output: 'all done' });
  expect(rolesOf(await debug(dir, String(resumed.id)))).toEqual([
    ['boss', 'system', 'user'],
    ['helper', 'system', 'user'],
    ['boss', 'system', 'user', 'assistant', 'tool'],
  ]);
});

it('tells the calls of a run that waits for people, and keeps their whole prompts when it is trimmed', {
  timeout: 120_000,
}, async () => {
  const dir = world.files('parked', gated());
  expect(lastOf(await kit(['run', dir, 'release', '--input', 'write it', '--json']))).toMatchObject({
    status: 'deferred',
  });
  expect(rolesOf(await debug(dir))).toEqual([['writer', 'system', 'user']]);

  const small = talkingTo('small');
  const kept = { ...env(), KIT_DEBUG_PROMPTS: '1' };
  await world.kit(['run', small, 'talk', '--input', 'say hi'], { env: kept });
  const left = await debug(small);
  expect([left.kept, rolesOf(left)]).toEqual([1, [['boss', 'system', 'user', 'assistant', 'tool']]]);
  expect(left.prompts[0]?.prompt.messages_left_out).toBeUndefined();
});

it('tells the calls of a run that a server left at its drain', { timeout: 120_000 }, async () => {
  const dir = talkingTo('drained');
  server.hold();
  const serve = await startServe([dir], { ...world.env, ...env() });
  onTestFinished(async () => {
    serve.kill('SIGKILL');
    await serve.ended;
  });
  const body = JSON.stringify({ input: 'say hi' });
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch(`${serve.url}/run/talk`, { method: 'POST', headers, body });
  expect(answer.status).toBe(200);
  await server.held();
  serve.kill('SIGTERM');
  server.release();
  await serve.ended;

  const reported = rolesOf(await debug(dir));
  expect(reported.toReversed().slice(0, 2)).toEqual([
    ['boss', 'system', 'user'],
    ['helper', 'system', 'user'],
  ]);
});
