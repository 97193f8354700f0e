import { expect, test } from 'vitest';
import { LOCAL_AUTH } from '../../../../src/domain/gates.js';
import { askServed, linesOf, peer, rpc, task, withUrl } from '../../../support/protocols/remote-world.js';

const PATIENT = { timeout: 30_000 };
const QUESTION = { status: { state: 'TASK_STATE_INPUT_REQUIRED', message: { parts: [{ text: 'Which currency?' }] } } };

/** A peer that asks `times` times before it is done; what it was sent. */
async function curious(times: number) {
  const sent: { readonly taskId?: string; readonly messageId: string; readonly parts: readonly { text?: string }[] }[] =
    [];
  const methods: string[] = [];
  const url = await peer((path, body, origin) => {
    if (path !== '/a2a') return { body: JSON.stringify(withUrl(`${origin}/a2a`)) };
    const { method, params } = JSON.parse(body);
    methods.push(method);
    if (method === 'SendMessage') sent.push(params.message);
    const isDone = sent.length > times;
    return { body: rpc(body, isDone ? task('TASK_STATE_COMPLETED') : task('TASK_STATE_INPUT_REQUIRED', QUESTION)) };
  });
  return { url, sent, methods };
}

/** Said in the first turn of the mock, and when it is asked: that conversation is new. */
const answering = (text: string) => [
  { text, tool_calls: [{ name: 'desk', input: { input: 'Price it' } }] },
  { text: 'passed on' },
];

test('the calling agent answers a question of the agent it called, on the same task', async () => {
  const { url, sent } = await curious(1);
  const front = await askServed(url, 'plain', { script: answering('In euro.') });
  await expect.poll(async () => (await front.now()).status, PATIENT).toBe('completed');
  expect((await front.now()).output).toBe('passed on');
  expect(sent.map(({ taskId, parts }) => [taskId, parts[0]?.text])).toEqual([
    [undefined, 'Price it'],
    ['t1', 'In euro.'],
  ]);
  expect(new Set(sent.map(({ messageId }) => messageId)).size).toBe(2);
});

test('it answers no more often than the skill says, and the task is canceled', async () => {
  const { url, sent, methods } = await curious(9);
  const front = await askServed(url, 'plain', { script: answering('In euro.'), more: ', max_agent_answers: 1' });
  await expect.poll(async () => (await front.now()).status, PATIENT).toBe('completed');
  expect(sent).toHaveLength(2);
  expect(methods.at(-1)).toBe('CancelTask');
  expect((await linesOf(front, front.job.id)).join('\n')).toContain('remote_unanswerable');
});

test('an agent that has no answer says so, and nothing is sent', async () => {
  const { url, sent } = await curious(9);
  const front = await askServed(url, 'plain', { script: answering('NO ANSWER') });
  await expect.poll(async () => (await front.now()).status, PATIENT).toBe('completed');
  expect(sent).toHaveLength(1);
});

test('abort gives up at the first question', async () => {
  const { url, sent } = await curious(1);
  const front = await askServed(url, 'plain', { more: ', on_unanswerable: abort' });
  await expect.poll(async () => (await front.now()).status, PATIENT).toBe('completed');
  expect(sent).toHaveLength(1);
  expect((await linesOf(front, front.job.id)).join('\n')).toContain('the agent asks: Which currency?');
});

test('relay asks people, and their answer goes to the agent', async () => {
  const { url, sent } = await curious(1);
  const front = await askServed(url, 'plain', { more: ', on_unanswerable: relay' });
  await expect.poll(async () => (await front.now()).status, PATIENT).toBe('deferred');
  const { app, workspace } = front;
  const { items } = await app.review.list({
    ...{ workspace, kind: null, gate: null, show: 'pending', limit: 10, afterId: null },
  });
  expect(items).toEqual([
    expect.objectContaining({ kind: 'input', question: 'Which currency?', agentId: 'boss', skillId: 'desk' }),
  ]);
  const [item] = items;
  const by = { workspace, identity: 'qa-2', auth: LOCAL_AUTH, comment: '' };
  await app.review.answer({ ...by, item: item?.id ?? '', action: 'answer', answer: 'In euro.' });
  await expect.poll(async () => (await front.now()).status, PATIENT).toBe('completed');
  expect(sent.at(-1)).toMatchObject({ taskId: 't1', parts: [{ text: 'In euro.' }] });
});

test('a person who will not answer ends the call', async () => {
  const { url, sent, methods } = await curious(1);
  const front = await askServed(url, 'plain', { more: ', on_unanswerable: relay' });
  await expect.poll(async () => (await front.now()).status, PATIENT).toBe('deferred');
  const { app, workspace } = front;
  const { items } = await app.review.list({
    ...{ workspace, kind: null, gate: null, show: 'pending', limit: 10, afterId: null },
  });
  const by = { workspace, identity: 'qa-2', auth: LOCAL_AUTH, comment: 'no' };
  await app.review.answer({ ...by, item: items[0]?.id ?? '', action: 'reject', answer: null });
  await expect.poll(async () => (await front.now()).status, PATIENT).toBe('completed');
  expect(sent).toHaveLength(1);
  expect(methods.at(-1)).toBe('CancelTask');
});
