import { expect, test } from 'vitest';
import { contribution as reviewGroup } from '../../../../plugins/serve/src/mounts/review/mount.js';
import { appOver } from '../../../support/http/open-app.js';
import { as, groupOf, serveParts } from '../../../support/http/serve-group.js';
import { serveA2a } from '../../../support/protocols/a2a-world.js';
import {
  askServed,
  caller,
  cardOf,
  desk,
  linesOf,
  onlyRun,
  PEER,
  peer,
  rpc,
  sign,
  task,
  withUrl,
} from '../../../support/protocols/remote-world.js';

const PATIENT = { timeout: 30_000 };
const A2A = 'server: { a2a: { enabled: true } }\n';
/** Name of the other workspace, as its card has it. */
const GATED = 'Gated';

const everything = (workspace: string) =>
  ({ workspace, kind: null, gate: null, show: 'pending', limit: 9, afterId: null }) as const;

/** The run of the caller waits without a process, and that of the other kit for people. */
async function parked() {
  const callee = await desk();
  const front = await askServed(cardOf(callee), 'release');
  await expect.poll(async () => (await onlyRun(callee))?.status, PATIENT).toBe('deferred');
  await expect.poll(async () => (await front.now()).workerId, PATIENT).toBeNull();
  expect(await front.now()).toMatchObject({ status: 'running' });
  expect(front.app.serve.load().active).toBe(0);
  return { callee, front };
}

test('a served run waits without a slot and goes on when people elsewhere have decided', async () => {
  const { callee, front } = await parked();
  await sign(callee);
  await expect.poll(async () => (await front.now()).status, PATIENT).toBe('completed');
  expect((await front.now()).output).toBe('passed on');
  expect((await onlyRun(callee))?.status).toBe('completed');
});

test('why, review list, trace and log name the place where people elsewhere decide', async () => {
  const { callee, front } = await parked();
  const gate = `${callee.url}/`;
  const { workspace, app, job } = front;
  await expect
    .poll(async () => (await app.review.why({ workspace, what: job.id })).situation.code, PATIENT)
    .toBe('running.remote-gate');
  const { situation, reasons } = await app.review.why({ workspace, what: job.id });
  const people = `the run waits for people of the agent ${GATED} elsewhere: ${gate}`;
  expect(reasons).toEqual(['no process executes the run now', expect.stringContaining(people)]);
  expect(situation.cause).toContain(`waits for people of the agent ${GATED} elsewhere: ${gate}`);
  const { view } = await app.observe.trace({ workspace, run: job.id });
  const [wait] = Object.values(view.outages);
  expect(wait?.remote).toEqual({ agent: GATED, gateUrl: expect.stringContaining(gate) });
  const { elsewhere } = await app.review.list(everything(workspace));
  expect(elsewhere).toEqual([{ jobId: job.id, topology: 'front', agent: GATED, gateUrl: wait?.remote?.gateUrl }]);
  const server = await serveParts({ groups: [await groupOf(reviewGroup, app)], workspace });
  for (const url of ['/inbox', '/review/list']) {
    const reported = await server.inject({ url, headers: as('read', 'nobody-here') });
    expect(reported.json()).toMatchObject({
      items: [],
      elsewhere: [{ run: job.id, topology: 'front', agent: GATED, gate_url: wait?.remote?.gateUrl }],
    });
  }
  const reader = { workspace, identity: 'nobody-here', limit: 9, afterId: null };
  expect(await app.review.inbox(reader)).toMatchObject({ roles: [], rows: [], elsewhere });
  expect((await app.review.list({ ...everything(workspace), kind: 'input' })).elsewhere).toEqual([]);
  await sign(callee);
  await expect.poll(async () => (await front.now()).status, PATIENT).toBe('completed');
  expect(Object.values((await app.observe.trace({ workspace, run: job.id })).view.outages)).toEqual([]);
  expect((await app.review.list(everything(workspace))).elsewhere).toEqual([]);
  const reported = await linesOf(front, job.id);
  expect(reported.filter((line) => line.includes('waits for people of the agent'))).toHaveLength(1);
});

test('a gate two kits away is a wait for people of all three, at the address of the kit that has it', async () => {
  const callee = await desk();
  const between = await serveA2a(caller(cardOf(callee), 'release', { workspace: A2A }), { env: PEER });
  const front = await askServed(cardOf(between), 'front');
  await expect.poll(async () => (await onlyRun(callee))?.status, PATIENT).toBe('deferred');
  const { workspace, app, job } = front;
  const situation = async () => (await app.review.why({ workspace, what: job.id })).situation;

  // A stream that breaks just then is made up for by a look after 30 s.
  await expect.poll(async () => (await situation()).code).toBe('running.remote-gate');
  expect((await situation()).cause).toContain(`${callee.url}/gates/`);
  expect((await onlyRun(between))?.status).toBe('running');
  const { elsewhere } = await app.review.list(everything(workspace));
  expect(elsewhere).toMatchObject([{ jobId: job.id, gateUrl: expect.stringContaining(`${callee.url}/gates/`) }]);
  const reported = await between.rpc('tasks/get', { id: (await onlyRun(between))?.id });
  expect(reported.result.status.state).toBe('input-required');

  await sign(callee);
  await expect.poll(async () => (await front.now()).status, PATIENT).toBe('completed');
});

test('a stop of a run that waits without a process cancels its task', async () => {
  const { callee, front } = await parked();
  await front.app.serve.stop({ job: front.job.id, by: 'qa-1' });
  expect((await front.now()).status).toBe('stopped');
  await expect.poll(async () => (await onlyRun(callee))?.status, PATIENT).toBe('stopped');
});

test('a stop while no process is up is handed on by the next one', async () => {
  const { callee, front } = await parked();
  await front.app.serve.drain(0);
  await front.app.runs.stop({ workspace: front.workspace, job: front.job.id, by: 'qa-1' });
  expect((await front.now()).status).toBe('stopped');
  expect((await onlyRun(callee))?.status).toBe('deferred');
  const next = appOver(front.workspace, front.env);
  try {
    await next.serve.start({ workspace: front.workspace });
    await expect.poll(async () => (await onlyRun(callee))?.status, PATIENT).toBe('stopped');
  } finally {
    await next.serve.drain(0);
    await next.close();
  }
});

test('what is decided while no process is up is found by the next one', async () => {
  const { callee, front } = await parked();
  await front.app.serve.drain(0);
  await sign(callee);
  await expect.poll(async () => (await onlyRun(callee))?.status, PATIENT).toBe('completed');
  const next = appOver(front.workspace, front.env);
  try {
    await next.serve.start({ workspace: front.workspace });
    await expect.poll(async () => (await front.now()).status, PATIENT).toBe('completed');
  } finally {
    await next.serve.drain(0);
    await next.close();
  }
});

test('a peer without streams is looked at, and a time that is over ends the call', async () => {
  let state = 'TASK_STATE_WORKING';
  const methods: string[] = [];
  const url = await peer((path, body, origin) => {
    if (path !== '/a2a') return { body: JSON.stringify(withUrl(`${origin}/a2a`)) };
    methods.push(JSON.parse(body).method);
    return { body: rpc(body, task(state)) };
  });
  const front = await askServed(url, 'plain');
  await expect.poll(async () => (await front.now()).workerId, PATIENT).toBeNull();
  state = 'TASK_STATE_COMPLETED';
  await expect.poll(async () => (await front.now()).status, PATIENT).toBe('completed');
  expect(methods.filter((method) => method === 'SendMessage')).toHaveLength(1);
  expect(methods).not.toContain('SubscribeToTask');
  state = 'TASK_STATE_WORKING';
  const short = await askServed(url, 'plain', { more: ', timeout_s: 2' });
  await expect.poll(async () => (await short.now()).status, PATIENT).toBe('completed');
  expect(methods).toContain('CancelTask');
});
