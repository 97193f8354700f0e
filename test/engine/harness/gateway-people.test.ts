import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { answer, goOn, isOpenItem, reviews } from '../../support/gated.js';
import { type GatewayScene, openGatewayWorld, say } from '../../support/gateway-world.js';
import { createRepository, type TestRepository } from '../../support/repository.js';
import type { World } from '../../support/run-world.js';
import { lawfulWorlds, payloadsOf } from '../laws.js';

const open = lawfulWorlds();
let repository: TestRepository;
beforeEach(() => {
  repository = createRepository({ 'a.txt': 'a\n' });
});
afterEach(() => repository.dispose());
const start = (of: Omit<GatewayScene, 'repository'>) => openGatewayWorld(open, { repository, ...of });
const keysOf = async (world: World) => (await world.stores.runs.load(world.job.id)).map((row) => row.key);
const openItem = async (world: World) => (await reviews(world)).items.find(isOpenItem);
/** What the model of the program was told of its calls. */
const reportedOf = async (world: World) =>
  payloadsOf(await world.events(), 'executor.tool_call').map(({ tool, summary }) => `${tool}: ${summary}`);

describe('a skill that people have to be asked about', () => {
  it('is asked before the call where the program asks, made once when approved, by its names of before', async () => {
    const { world, server } = await start({
      permissions: [],
      permission: 'strict',
      turns: [[{ say: 'I tell them.' }, say('hello')], [{ call: 'ToolSearch' }], [{ say: 'Told.' }]],
    });
    expect(await world.run()).toMatchObject({ kind: 'parked' });
    expect(server.calls).toEqual([]);
    expect(await openItem(world)).toMatchObject({
      kind: 'permission',
      stepKey: 'root/d0/s0/permission',
      details: { kind: 'mcp', subject: 'kit/say', input: { text: 'hello' }, exactness: 'exact' },
    });

    await answer(world, { action: 'approve' });
    expect(await goOn(world)).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
    expect(server.calls.map(({ input }) => input)).toEqual([{ text: 'hello' }]);
    expect(await reportedOf(world)).toContain('ToolSearch: ["say","context_retrieve"]');
    expect(await keysOf(world)).toEqual([
      'root',
      'root/d0/s0',
      'root/d0/s0/permission',
      'root/d0/s1',
      'root/d0/s1/g0/c0:say',
    ]);
  });

  it('is not made when it is rejected, and an approval is good for one call', async () => {
    const { world, server } = await start({
      permissions: [],
      permission: 'strict',
      turns: [[say('a')], [say('b')], [say('b')], [{ say: 'Done.' }]],
    });
    await world.run();
    await answer(world, { action: 'reject', comment: 'not a' });
    expect(await goOn(world)).toMatchObject({ kind: 'parked' });
    await answer(world, { action: 'approve' });
    expect(await goOn(world)).toMatchObject({ kind: 'parked' });
    expect(server.calls.map(({ input }) => input)).toEqual([{ text: 'b' }]);
    await answer(world, { action: 'reject' });
    await goOn(world);
    expect(server.calls).toHaveLength(1);
    expect(await world.row()).toMatchObject({ status: 'completed' });
  });

  it('parks the run where the program asks nobody, and is carried out once while nothing is resident', async () => {
    const { world, server } = await start({
      config: { permission_mode: 'acceptEdits' },
      permission: 'strict',
      turns: [[say('hello')], [{ say: 'I wait.' }], [say('hello')], [{ say: 'Told.' }]],
    });
    expect(await world.run()).toMatchObject({ kind: 'parked' });
    expect(server.calls).toEqual([]);
    expect(await openItem(world)).toMatchObject({
      kind: 'permission',
      skillId: 'say',
      stepKey: 'root/d0/s0/g0/c0:say/permission',
      details: { server: 'files', tool: 'say', arguments: { text: 'hello' } },
    });

    await answer(world, { action: 'approve' });
    expect(await goOn(world)).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
    expect(server.calls.map(({ input }) => input)).toEqual([{ text: 'hello' }]);
    expect((await world.row()).output).toBe('Told.');
    expect(await keysOf(world)).toEqual([
      'root',
      'root/d0/s0',
      'root/d0/s0/g0/c0:say/permission',
      'root/d0/s0/g0/c0:say',
      'root/d0/s1',
    ]);
  });

  it('asks once for a call that is repeated while people decide', async () => {
    const { world, server } = await start({
      config: { permission_mode: 'acceptEdits' },
      permission: 'strict',
      turns: [[say('hello')], [say('hello')], [{ say: 'I wait.' }], [say('hello')], [say('hello')], [{ say: 'Told.' }]],
    });
    await world.run();
    expect((await reviews(world)).items).toHaveLength(1);
    await answer(world, { action: 'approve' });
    // The fourth is another call: it is asked about anew.
    expect(await goOn(world)).toMatchObject({ kind: 'parked' });
    expect(server.calls).toHaveLength(1);
    await answer(world, { action: 'reject' });
    await goOn(world);
    expect(server.calls).toHaveLength(1);
  });

  it('is asked about where an entry of permissions wants it, and refused where one says so', async () => {
    const { world, server } = await start({
      permissions: ['ask mcp kit/say'],
      turns: [[say('hello')], [{ say: 'Told.' }]],
    });
    expect(await world.run()).toMatchObject({ kind: 'parked' });
    await answer(world, { action: 'approve' });
    await goOn(world);
    expect(server.calls).toHaveLength(1);

    const denied = await start({ permissions: ['deny mcp'], turns: [[say('hello')], [{ say: 'Then not.' }]] });
    await denied.world.run();
    expect(denied.server.calls).toEqual([]);
  });

  it('is left to whom the policy names, also where an entry of permissions asks, and to those of now', async () => {
    let approvers: readonly string[] = ['lead-1'];
    const { world, server } = await start({
      permissions: ['ask mcp kit/say'],
      permission: 'cautious',
      decideOn: (action) =>
        action === 'mcp:call:files:say' ? { verdict: 'ask', reason: 'look', approvers } : { verdict: 'allow' },
      turns: [[say('hello')], [say('hello')], [{ say: 'Told.' }]],
    });
    expect(await world.run()).toMatchObject({ kind: 'parked' });
    expect(await openItem(world)).toMatchObject({ reason: 'look', details: { approvers: ['lead-1'] } });

    approvers = ['security-1'];
    await answer(world, { action: 'approve' });
    expect(await goOn(world)).toMatchObject({ kind: 'parked' });
    expect(server.calls).toEqual([]);
    expect(await openItem(world)).toMatchObject({
      reason: 'it was approved, and is left to others by now',
      details: { approvers: ['security-1'] },
    });
    await answer(world, { action: 'approve', by: 'security-1' });
    await goOn(world);
    expect(server.calls).toHaveLength(1);
  });
});
