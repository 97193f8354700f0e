import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { toolSkill } from '../../support/fake-tools.js';
import { answer, goOn } from '../../support/gated.js';
import { type GatewayScene, openGatewayWorld, say } from '../../support/gateway-world.js';
import { createRepository, type TestRepository } from '../../support/repository.js';
import { commandSkill, type World } from '../../support/run-world.js';
import { lawfulWorlds, payloadsOf } from '../laws.js';

const open = lawfulWorlds();
let repository: TestRepository;
beforeEach(() => {
  repository = createRepository({ 'a.txt': 'a\n' });
});
afterEach(() => repository.dispose());
const start = (of: Omit<GatewayScene, 'repository'>) => openGatewayWorld(open, { repository, ...of });
const keysOf = async (world: World) => (await world.stores.runs.load(world.job.id)).map((row) => row.key);
/** What the model of the program was told of its calls. */
const reportedOf = async (world: World) =>
  payloadsOf(await world.events(), 'executor.tool_call').map(({ tool, summary }) => `${tool}: ${summary}`);

describe('a skill of an agent whose work a harness does', () => {
  it('is a tool call of the run: its step, its event, its answer', async () => {
    const { world, server } = await start({
      permissions: [],
      turns: [[{ call: 'ToolSearch' }], [say('hello')], [{ say: 'All said.' }]],
    });
    expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
    expect((await world.row()).output).toBe('All said.');
    expect(server.calls.map(({ input }) => input)).toEqual([{ text: 'hello' }]);
    expect(await keysOf(world)).toEqual(['root', 'root/d0/s0', 'root/d0/s0/g0/c0:say']);
    const events = await world.events();
    expect(payloadsOf(events, 'skill.executed')).toMatchObject([
      { tool: 'say', status: 'ok', effects: 'write', policy_decision: 'allow', inputs: { text: 'hello' } },
    ]);
    expect(payloadsOf(events, 'executor.tool_call').map(({ tool }) => tool)).not.toContain('mcp__kit__say');
  });

  it('has the names of the skills, and refuses any other as it refuses a model', async () => {
    const { world, server } = await start({
      permissions: [],
      skills: [toolSkill('say'), commandSkill('shout', ['echo', 'loud'])],
      turns: [
        [{ call: 'ToolSearch' }],
        [
          { call: 'mcp__kit__whisper', input: {} },
          { call: 'mcp__kit__shout', input: { input: 'x' } },
        ],
        [{ say: 'Done.' }],
      ],
    });
    await world.run();
    expect(await reportedOf(world)).toContain('ToolSearch: ["say","shout","context_retrieve"]');
    const events = await world.events();
    expect(payloadsOf(events, 'skill.gap')).toMatchObject([
      { tool: 'whisper', available: ['say', 'shout', 'context_retrieve'] },
    ]);
    expect(payloadsOf(events, 'skill.executed')).toMatchObject([{ tool: 'shout', status: 'ok', outputs: 'loud' }]);
    expect(server.calls).toEqual([]);
  });

  it('is bounded by the limits of the run, its arguments by their schema', async () => {
    const { world, server } = await start({
      permissions: [],
      env: { KIT_MAX_TOOL_TURNS: 1, KIT_MAX_TOOLS: 2 },
      skills: [toolSkill('say', { inputs: { type: 'object', properties: { text: { type: 'string' } } } })],
      turns: [[{ call: 'mcp__kit__say', input: { text: 1 } }], [say('one')], [say('two')], [{ say: 'Done.' }]],
    });
    await world.run();
    const events = await world.events();
    expect(payloadsOf(events, 'skill.executed')).toMatchObject([
      { status: 'failed', reason: 'invalid_arguments' },
      { status: 'ok' },
    ]);
    expect(payloadsOf(events, 'tool.refused')).toMatchObject([{ tool: 'say', reason: 'call_limit' }]);
    expect(server.calls).toHaveLength(1);
  });

  it('holds the order that its agent declares over the launches of a session', async () => {
    const { world, server } = await start({
      permissions: [],
      skills: [toolSkill('say'), commandSkill('look', ['echo', 'seen'])],
      requires: { say: ['look'] },
      turns: [
        [say('too early')],
        [{ call: 'mcp__kit__look', input: { input: '' } }],
        [{ call: 'Bash', input: { command: 'true' } }],
        [say('now')],
        [{ say: 'Done.' }],
      ],
    });
    expect(await world.run()).toMatchObject({ kind: 'parked' });
    await answer(world, { action: 'approve' });
    await goOn(world);
    expect(server.calls.map(({ input }) => input)).toEqual([{ text: 'now' }]);
    expect(payloadsOf(await world.events(), 'tool.refused')).toMatchObject([{ tool: 'say', reason: 'requires' }]);
  });

  it('is refused by governance as a call of a model is', async () => {
    const { world, server } = await start({
      permissions: [],
      skills: [toolSkill('say', { requiredScopes: ['notes:write'] })],
      decideOn: (action) =>
        action.startsWith('agent:')
          ? { verdict: 'allow' }
          : { verdict: 'deny', reason: 'no notes today', needs: ['notes:write'] },
      turns: [[say('hello')], [{ say: 'Then not.' }]],
    });
    await world.run();
    expect(server.calls).toEqual([]);
    const events = await world.events();
    expect(payloadsOf(events, 'policy.denied')).toMatchObject([{ needs: ['notes:write'] }]);
    expect(payloadsOf(events, 'skill.executed')).toMatchObject([{ status: 'denied' }]);
  });
});
