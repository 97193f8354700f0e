import { afterEach, beforeEach, expect, it } from 'vitest';
import { fakeAcpOf, fakeAcpSpec } from '../../support/fake-acp.js';
import { answer, goOn } from '../../support/gated.js';
import { type GatewayScene, openGatewayWorld } from '../../support/gateway-world.js';
import { createRepository, type TestRepository } from '../../support/repository.js';
import { lawfulWorlds, payloadsOf } from '../laws.js';

const open = lawfulWorlds();
let repository: TestRepository;
beforeEach(() => {
  repository = createRepository({ 'a.txt': 'a\n' });
});
afterEach(() => repository.dispose());

const start = (of: Omit<GatewayScene, 'repository'>) =>
  openGatewayWorld(open, { repository, spec: fakeAcpSpec(), permissions: [], ...of });
const say = (text: string, more = {}) => ({
  call: 'other',
  title: 'kit_say',
  input: { text },
  fault: 'unasked',
  ...more,
});

it('reaches a program that speaks ACP, and its calls are tool calls of the run', async () => {
  const { world, server } = await start({ turns: [[say('hello')], [{ say: 'All said.' }]] });
  expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
  expect(server.calls.map(({ input }) => input)).toEqual([{ text: 'hello' }]);
  const events = await world.events();
  expect(payloadsOf(events, 'skill.executed')).toMatchObject([{ tool: 'say', status: 'ok' }]);
  expect(payloadsOf(events, 'executor.tool_call')).toEqual([]);
});

it('parks the run at a call that people decide about, and carries it out once', async () => {
  const { world, server } = await start({
    permission: 'strict',
    turns: [[say('hello')], [{ say: 'I wait.' }], [say('hello')], [{ say: 'Told.' }]],
  });
  expect(await world.run()).toMatchObject({ kind: 'parked' });
  expect(server.calls).toEqual([]);
  await answer(world, { action: 'approve' });
  expect(await goOn(world)).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
  expect(server.calls).toHaveLength(1);
});

it('ends a program that says of another call that it was one of these', async () => {
  const { world } = await start({ turns: [[say('x', { lies: true })], [{ say: 'Done.' }]] });
  expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'failed' } });
  expect((await world.row()).error).toContain('made a call without asking');
});

it.each([
  ['qwen', { title: 'kit_say', toolName: 'mcp__kit__say' }],
  ['copilot', { title: 'kit-say', fault: undefined }],
])('reaches %s by its command line, and is one call of the run', async (id, more) => {
  const search = { call: 'other', title: 'Search', toolName: 'tool_search', fault: 'unasked' };
  const turns = [...(id === 'qwen' ? [[search]] : []), [say('hello', more)], [{ say: 'All said.' }]];
  const { world, server } = await start({ spec: fakeAcpOf(id), turns });
  expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
  expect(server.calls.map(({ input }) => input)).toEqual([{ text: 'hello' }]);
  expect(payloadsOf(await world.events(), 'skill.executed')).toMatchObject([{ tool: 'say', status: 'ok' }]);
});
