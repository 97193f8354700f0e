import { expect, test } from 'vitest';
import { LOCAL_AUTH } from '../../../../src/domain/gates.js';
import { gated } from '../../../e2e/review/gated-workspace.js';
import { type A2aWorld, client0, client1, serveA2a } from '../../../support/protocols/a2a-world.js';

const ON = 'server: { a2a: { enabled: true, wait_seconds: 20 } }\n';
const files = () => gated({ workspace: ON });

/** A message of version 1. */
const message1 = (text: string, skill: string) => ({
  messageId: crypto.randomUUID(),
  contextId: '',
  taskId: '',
  role: 1,
  parts: [{ content: { $case: 'text' as const, value: text }, metadata: undefined, filename: '', mediaType: '' }],
  metadata: { skill },
  extensions: [],
  referenceTaskIds: [],
});
const send1 = (text: string, skill: string, returnImmediately = false) => ({
  tenant: '',
  message: message1(text, skill),
  configuration: { acceptedOutputModes: [], taskPushNotificationConfig: undefined, returnImmediately },
  metadata: undefined,
});
const message0 = (text: string, skill: string) => ({
  kind: 'message' as const,
  role: 'user' as const,
  messageId: crypto.randomUUID(),
  parts: [{ kind: 'text' as const, text }],
  metadata: { skill },
});

/** Signs everything that the run waits for. */
async function sign({ app, workspace }: A2aWorld): Promise<void> {
  const { items } = await app.review.list({
    workspace,
    kind: null,
    gate: null,
    show: 'pending',
    limit: 10,
    afterId: null,
  });
  for (const { id } of items)
    for (const identity of ['qa-1', 'ops-1'])
      await app.review
        .resolve({ workspace, item: id, identity, auth: LOCAL_AUTH, outcome: 'approve', comment: '' })
        .catch(() => null); // the item of the other role
}

test('the client of 0.3 sends, gets, lists, follows and cancels', async () => {
  const world = await serveA2a(files());
  const client = await client0(world.url);
  const sent = await client.sendMessage({ message: message0('hello', 'plain'), configuration: { blocking: true } });
  if (sent.kind !== 'task') throw new Error('no task');
  expect(sent).toMatchObject({
    status: { state: 'completed' },
    artifacts: [{ artifactId: `${sent.id}-output`, name: 'output', parts: [{ kind: 'text' }] }],
    metadata: {
      swarmkit: { topology: 'plain', job_status: 'completed', run_id: sent.id, observability: { events: true } },
    },
  });
  expect((await world.job(sent.id)).source).toBe('a2a');
  expect(await client.getTask({ id: sent.id })).toEqual(sent);
  const followed: string[] = [];
  for await (const event of client.resubscribeTask({ id: sent.id })) followed.push(event.kind);
  expect(followed).toEqual(['task', 'artifact-update', 'status-update']);
  await expect(client.cancelTask({ id: sent.id })).rejects.toMatchObject({ name: 'TaskNotCancelableError' });
  await expect(client.getTask({ id: 'nothere' })).rejects.toMatchObject({ name: 'TaskNotFoundError' });
});

test('the client of 1.0 sends, gets, lists, follows and cancels', async () => {
  const world = await serveA2a(files());
  const client = await client1(world.url);
  expect(client.protocolVersion ?? '1.0').toBe('1.0');
  const sent = await client.sendMessage(send1('hello', 'plain'));
  if (!('status' in sent)) throw new Error('no task');
  expect(sent.status?.state).toBe(3);
  expect(sent.artifacts[0]?.parts[0]?.content?.$case).toBe('text');
  const got = await client.getTask({ tenant: '', id: sent.id });
  expect(got).toEqual(sent);
  const listed = await client.listTasks({
    ...{ tenant: '', contextId: sent.contextId, status: 0, pageToken: '', statusTimestampAfter: undefined },
  });
  expect(listed.tasks.map(({ id }) => id)).toEqual([sent.id]);
  const followed: (string | undefined)[] = [];
  for await (const event of client.resubscribeTask({ tenant: '', id: sent.id })) followed.push(event.payload?.$case);
  expect(followed).toEqual(['task', 'artifactUpdate', 'statusUpdate']);
  await expect(client.cancelTask({ tenant: '', id: sent.id, metadata: undefined })).rejects.toThrow(
    /nothing to cancel/,
  );
});

test('a stream of 0.3 tells the task, its lines, the gate, and ends there', async () => {
  const world = await serveA2a(files());
  const client = await client0(world.url);
  const events = [];
  for await (const event of client.sendMessageStream({ message: message0('release it', 'release') }))
    events.push(event);
  const [first] = events;
  const last = events.at(-1);
  if (first?.kind !== 'task' || last?.kind !== 'status-update') throw new Error('no task');
  expect(last).toMatchObject({ final: true, status: { state: 'input-required' } });
  const gate = `${world.url}/gates/${first.id}:writer`;
  expect(JSON.stringify(last.status.message)).toContain(gate);
  expect(last.metadata).toMatchObject({ swarmkit: { gate_url: gate } });
  expect(events.slice(1, -1).every((event) => event.kind === 'status-update' && !event.final)).toBe(true);
  const followUp = { message: { ...message0('yes', 'release'), taskId: first.id } };
  await expect(client.sendMessage(followUp)).rejects.toMatchObject({ name: 'UnsupportedOperationError' });
  const raw = await world.rpc('message/send', followUp);
  expect(raw.error).toMatchObject({ code: -32004, data: { gate_url: gate } });
});

test('a subscription of a parked task stays open, and tells the end when people have decided', async () => {
  const world = await serveA2a(files());
  const client = await client1(world.url);
  const sent = await client.sendMessage(send1('release it', 'release'));
  if (!('status' in sent)) throw new Error('no task');
  expect(sent.status?.state).toBe(6);
  const stream = client.resubscribeTask({ tenant: '', id: sent.id });
  const first = await stream.next();
  expect(first.value?.payload?.$case).toBe('task');
  const rest = (async () => {
    const cases: (string | undefined)[] = [];
    for await (const event of stream) cases.push(event.payload?.$case);
    return cases;
  })();
  await sign(world);
  const cases = await rest;
  expect(cases.slice(-2)).toEqual(['artifactUpdate', 'statusUpdate']);
  expect((await world.job(sent.id)).status).toBe('completed');
});

test('a client of 1.0 that does not wait gets the task at once and can cancel it', async () => {
  const world = await serveA2a(files(), { env: { KIT_MOCK_LATENCY_MS: '600000' } });
  const client = await client1(world.url);
  const sent = await client.sendMessage(send1('slow', 'plain', true));
  if (!('status' in sent)) throw new Error('no task');
  expect([1, 2]).toContain(sent.status?.state);
  const canceled = await client.cancelTask({ tenant: '', id: sent.id, metadata: undefined });
  expect(canceled.metadata).toMatchObject({ swarmkit: { stop_requested: true } });
  await expect
    .poll(async () => (await client.getTask({ tenant: '', id: sent.id })).status?.state, { timeout: 20_000 })
    .toBe(5);
});
