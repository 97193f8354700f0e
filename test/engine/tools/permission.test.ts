import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../../src/domain/json.js';
import type { ServerTool } from '../../../src/domain/ports/tools.js';
import type { LinkedServer } from '../../../src/domain/tool-server.js';
import { fakeServer, serverTool, toolSkill } from '../../support/fake-tools.js';
import { answer, goOn, isOpenItem, reviews } from '../../support/gated.js';
import { agent, call, commandSkill, type Script, type World, type WorldOptions } from '../../support/run-world.js';
import { lawfulWorlds, payloadsOf } from '../laws.js';
import { withTools } from './tool-world.js';

const open = lawfulWorlds();
type Hints = ServerTool['hints'];
const hints = (over: Partial<Hints>): Hints => ({ readOnly: null, destructive: null, idempotent: null, ...over });

interface Scene extends Partial<Omit<WorldOptions, 'root' | 'script'>> {
  readonly hints?: Partial<Hints>;
  readonly linked: Partial<LinkedServer>;
  /** Arguments of each call; one a turn. */
  readonly asks?: readonly JsonObject[];
}

async function world({ hints: hinted = {}, linked, asks = [{ text: 'a' }], ...options }: Scene) {
  const server = fakeServer([serverTool('say', { hints: hints(hinted) })]);
  const reported: unknown[] = [];
  const script: Script = ({ turn, request }) => {
    for (const part of request.messages.at(-1)?.parts ?? [])
      if (part.type === 'tool_result') reported.push(part.output);
    const input = asks[turn];
    return input === undefined ? 'told' : [call('say', input, `c${turn}`)];
  };
  const skills = options.skills ?? [toolSkill('say')];
  const opened = await open(
    withTools(
      server.source,
      { ...options, root: agent('root', { role: 'root', skills: ['say'] }), skills, script },
      linked,
    ),
  );
  return { world: opened, server, told: reported };
}

const openItem = async (of: World) => (await reviews(of)).items.find(isOpenItem);
const decisions = async (of: World) =>
  payloadsOf(await of.events(), 'skill.executed').map(({ policy_decision }) => policy_decision);

describe('the tier strict', () => {
  it('parks a call on an item that names server, tool, arguments and their digest; its approval carries it out', async () => {
    const {
      world: run,
      server,
      told: reported,
    } = await world({ linked: { permission: 'strict' }, skills: [toolSkill('say', { fixed: { mode: 'slow' } })] });
    expect(await run.run()).toMatchObject({ kind: 'parked' });

    const item = await openItem(run);
    expect(item).toMatchObject({
      kind: 'permission',
      agentId: 'root',
      skillId: 'say',
      stepKey: 'root/d0/t0/c0:say/permission',
    });
    expect(item?.details).toMatchObject({
      server: 'files',
      tool: 'say',
      arguments: { text: 'a', mode: 'slow' },
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(server.calls).toEqual([]);
    expect(server.log).toEqual(['opened files', 'closed']);

    await answer(run, { action: 'approve' });
    await goOn(run);
    expect(reported).toEqual(['said a\n[from files/say]']);
    expect(server.calls).toHaveLength(1);
    expect(await decisions(run)).toEqual(['allow']);
    expect(await run.row()).toMatchObject({ status: 'completed' });
  });

  it('a rejection is a denial, as data, and nothing is called', async () => {
    const { world: run, server, told: reported } = await world({ linked: { permission: 'strict' } });
    await run.run();
    await answer(run, { action: 'reject', comment: 'not this file' });
    await goOn(run);

    expect(reported).toEqual([{ status: 'denied', reason: 'a person rejected the call: not this file', needs: [] }]);
    expect(server.calls).toEqual([]);
    expect(await decisions(run)).toEqual(['deny']);
  });

  it('an approval is good for one call: the same arguments are asked about again, and others have another digest', async () => {
    const { world: run, server } = await world({
      linked: { permission: 'strict' },
      asks: [{ text: 'a' }, { text: 'a' }, { text: 'b' }],
    });
    await run.run();
    const digests: unknown[] = [];
    for (let round = 0; round < 3; round += 1) {
      digests.push(Reflect.get((await openItem(run))?.details as object, 'digest'));
      await answer(run, { action: 'approve' });
      await goOn(run);
    }

    expect(server.calls.map(({ input }) => input.text)).toEqual(['a', 'a', 'b']);
    expect(digests[0]).toBe(digests[1]);
    expect(digests[2]).not.toBe(digests[0]);
    expect(await run.row()).toMatchObject({ status: 'completed' });
  });

  it('holds for a command of a pack as well', async () => {
    const skill = commandSkill('say', ['echo', 'done'], { inputs: { type: 'object' } });
    const { implementation } = skill;
    if (implementation.type !== 'command') throw new Error('no command');
    const strict = {
      ...skill,
      implementation: { ...implementation, command: { ...implementation.command, permission: 'strict' as const } },
    };
    const { world: run, told: reported } = await world({ linked: {}, skills: [strict] });
    await run.run();
    expect(await openItem(run)).toMatchObject({
      kind: 'permission',
      details: { skill: 'say', arguments: { text: 'a' } },
    });
    expect(reported).toEqual([]);

    await answer(run, { action: 'approve' });
    await goOn(run);
    expect(reported).toEqual(['done']);
  });
});

describe('what a tier makes of a call', () => {
  const READ = { readOnly: true };
  const WRITE = { readOnly: false };
  const deny: WorldOptions['decide'] = async () => ({ verdict: 'deny', reason: 'policy', needs: ['files:write'] });

  it.each([
    { tier: 'open', hints: {}, verdict: 'ok' },
    { tier: 'cautious', hints: READ, verdict: 'ok' },
    { tier: 'cautious', hints: WRITE, verdict: 'denied' },
    { tier: 'cautious', hints: {}, verdict: 'denied' },
    { tier: 'readonly', hints: READ, verdict: 'ok' },
    { tier: 'readonly', hints: WRITE, verdict: 'denied' },
    { tier: 'readonly', hints: {}, verdict: 'denied' },
  ] as const)('$tier with $hints is $verdict, where the provider denies', async ({ tier, hints: hinted, verdict }) => {
    const {
      world: run,
      server,
      told: reported,
    } = await world({
      linked: { permission: tier },
      hints: hinted,
      facilities: () => ({
        decide: async (request) => (request.action === 'agent:execute' ? { verdict: 'allow' } : await deny()),
      }),
    });
    await run.run();

    expect(server.calls).toHaveLength(verdict === 'ok' ? 1 : 0);
    if (verdict === 'denied')
      expect(reported).toMatchObject([{ status: 'denied', reason: expect.any(String), needs: expect.any(Array) }]);
    expect(await decisions(run)).toEqual([verdict === 'ok' ? 'allow' : 'deny']);
  });

  it('is that of the tool before that of its server, and a declaration comes before what the server says', async () => {
    const overridden = await world({
      linked: { permission: 'open', permissionOverrides: { say: 'readonly' } },
      hints: WRITE,
    });
    await overridden.world.run();
    const declared = await world({
      linked: { permission: 'readonly' },
      hints: WRITE,
      skills: [toolSkill('say', { effects: 'read' })],
    });
    await declared.world.run();

    expect(await decisions(overridden.world)).toEqual(['deny']);
    expect(await decisions(declared.world)).toEqual(['allow']);
  });

  it('is the stricter of what was frozen and what the files say now', async () => {
    const stricter = await world({ linked: { permission: 'open' }, facilities: () => ({ tierNow: () => 'readonly' }) });
    await stricter.world.run();
    const laxer = await world({ linked: { permission: 'readonly' }, facilities: () => ({ tierNow: () => 'open' }) });
    await laxer.world.run();

    expect(await decisions(stricter.world)).toEqual(['deny']);
    expect(await decisions(laxer.world)).toEqual(['deny']);
  });

  it('asks the provider with the action of the tool', async () => {
    const actions: string[] = [];
    const { world: run } = await world({
      linked: { permission: 'cautious' },
      facilities: () => ({
        decide: async ({ action }) => {
          actions.push(action);
          return { verdict: 'allow' };
        },
      }),
    });
    await run.run();

    expect(actions).toEqual(['agent:execute', 'mcp:call:files:say']);
  });
});
