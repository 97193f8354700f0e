import { expect, test } from 'vitest';
import { openApp } from '../../../support/http/open-app.js';
import {
  ask,
  asker,
  CARD,
  caller,
  cardOf,
  desk,
  linesOf,
  PEER,
  peer,
  rpc,
  sign,
  task,
  withUrl,
} from '../../../support/protocols/remote-world.js';

test('a skill asks a topology of another kit, with its credential, and takes its answer', async () => {
  const callee = await desk();
  const { handle, app, workspace } = await ask(cardOf(callee));
  const job = await handle.done;
  expect(job).toMatchObject({ status: 'completed', output: 'passed on' });
  const [run, ...others] = await callee.app.jobs.list({ workspace: callee.workspace });
  expect(others).toEqual([]);
  expect(run).toMatchObject({
    status: 'completed',
    source: 'a2a',
    input: 'Release it',
    submittedBy: { identity: 'kit-a', assurance: 'authenticated' },
  });
  expect(run?.earlier.map(({ submittedBy }) => submittedBy.identity)).toEqual(['qa-1']);
  const reported = (await linesOf({ app, workspace }, job.id)).join('\n');
  expect(reported).toContain(`run ${run?.id} at ${callee.url}/a2a`);
  expect(reported).not.toContain(PEER.PEER_TOKEN);
});

test('the address of a card may stand in a variable, which no event repeats', async () => {
  const callee = await desk();
  const { handle, ...world } = await ask('${PEER_CARD}', 'plain', { PEER_CARD: cardOf(callee) });
  const job = await handle.done;
  expect(job.status).toBe('completed');
  expect(await callee.app.jobs.list({ workspace: callee.workspace })).toHaveLength(1);
  expect((await linesOf(world, job.id)).join('\n')).not.toContain('.well-known');
});

test('people of the other kit decide, and the caller goes on by itself', { timeout: 90_000 }, async () => {
  const callee = await desk();
  const { handle } = await ask(cardOf(callee), 'release');
  const parked = async () => (await callee.app.jobs.list({ workspace: callee.workspace }))[0]?.status;
  await expect.poll(parked).toBe('deferred');
  await sign(callee);
  expect(await handle.done).toMatchObject({ status: 'completed', output: 'passed on' });
  expect(await callee.app.jobs.list({ workspace: callee.workspace })).toHaveLength(1);
});

test.each<readonly [string, Parameters<typeof peer>[0], string]>([
  ['a page', () => ({ type: 'text/html', body: '<html>hello</html>' }), 'KIT_AGENT_INVALID'],
  ['5 MiB', () => ({ body: 'x'.repeat(5 * 1024 * 1024) }), 'remote_timeout'],
  [
    'no skills',
    (_u, _b, origin) => ({ body: JSON.stringify({ ...withUrl(`${origin}/a2a`), skills: [] }) }),
    'KIT_AGENT_INVALID',
  ],
  [
    'another version',
    (_u, _b, origin) => ({
      body: JSON.stringify({ ...CARD, url: origin, protocolVersion: '2.0' }),
    }),
    'KIT_AGENT_INVALID',
  ],
  ['another host', () => ({ body: JSON.stringify(withUrl('https://elsewhere.example/a2a')) }), 'KIT_A2A_ORIGIN'],
])('a card that is %s fails the call and reveals nothing', { timeout: 30_000 }, async (_what, answer, reason) => {
  const seen: string[] = [];
  const url = await peer((path, body, origin) => {
    seen.push(body);
    return answer(path, body, origin);
  });
  const files = caller(url, 'plain');
  const short = {
    'skills/desk.yaml': (files['skills/desk.yaml'] ?? '').replace('effects: read', 'effects: read, timeout_s: 1'),
  };
  const world = await openApp({ ...files, ...short }, PEER);
  const handle = await world.app.runs.start({
    ...{ workspace: world.workspace, topology: 'front', input: 'hello', attachments: [], correlationId: null },
    ...{ labels: {}, supersedes: null, submittedBy: asker, timeoutMs: null, trust: [] },
  });
  const job = await handle.done;
  expect(job.status).toBe('completed');
  expect((await linesOf(world, job.id)).join('\n')).toContain(reason);
  expect(seen.filter((body) => body !== '')).toEqual([]);
});

test.each<readonly [string, (body: string) => string, string]>([
  ['another id', (body) => rpc(body, task('TASK_STATE_COMPLETED'), 'other'), 'KIT_AGENT_INVALID'],
  ['no task', (body) => rpc(body, { message: 'hello' }), 'KIT_AGENT_INVALID'],
  ['another state', (body) => rpc(body, task('TASK_STATE_WONDER')), 'KIT_AGENT_INVALID'],
  ['a failure', (body) => rpc(body, task('TASK_STATE_FAILED')), 'remote_failed'],
  ['a question', (body) => rpc(body, task('TASK_STATE_INPUT_REQUIRED')), 'remote_unanswerable'],
])('a peer that answers with %s fails the call', async (_what, answer, reason) => {
  const url = await peer((path, body, origin) => ({
    body: path === '/a2a' ? answer(body) : JSON.stringify(withUrl(`${origin}/a2a`)),
  }));
  const { handle, ...world } = await ask(url);
  const job = await handle.done;
  expect((await linesOf(world, job.id)).join('\n')).toContain(reason);
});
