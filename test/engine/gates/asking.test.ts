import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { answer, decide, goOn, isOpenItem, reviews, typesOf } from '../../support/gated.js';
import { until } from '../../support/processes.js';
import { agent, call, commandSkill, type Script, type World } from '../../support/run-world.js';
import { lawfulWorlds, payloadsOf } from '../laws.js';

const open = lawfulWorlds();
const root = agent('root', { role: 'root', skills: ['deploy'] });

/** Calls the tool, and keeps what it is told. */
function caller(): { readonly script: Script; readonly told: unknown[] } {
  const reported: unknown[] = [];
  return {
    told: reported,
    script: ({ turn, request }) => {
      if (turn === 0) return [call('deploy', { input: 'to production' })];
      for (const part of request.messages.at(-1)?.parts ?? [])
        if (part.type === 'tool_result') reported.push(part.isError, part.output);
      return 'told';
    },
  };
}

describe('a skill whose failure goes to a person', () => {
  const failing = commandSkill('deploy', ['sh', '-c', 'echo no route >&2; exit 3'], { onFailure: 'escalate_to_human' });

  it('parks the run with a question, and takes the answer as its result', async () => {
    const { script, told: reported } = caller();
    const world = await open({ root, skills: [failing], script });
    expect(await world.run()).toMatchObject({ kind: 'parked' });

    const [item] = (await reviews(world)).items.filter(isOpenItem);
    expect(item).toMatchObject({
      kind: 'other',
      skillId: 'deploy',
      agentId: 'root',
      gateId: null,
      freeTextAllowed: true,
      stepKey: 'root/d0/t0/c0:deploy/ask',
    });
    expect(item?.details).toMatchObject({ skill: 'deploy', reason: 'exit_code', input: { input: 'to production' } });
    expect((await typesOf(world)).slice(-3)).toEqual(['skill.executed', 'hitl.requested', 'run.parked']);
    expect(await world.row()).toMatchObject({ status: 'deferred', waitingOn: [item?.id] });

    expect(await answer(world, { action: 'answer', text: 'deployed by hand' })).toMatchObject({ status: 'pending' });
    await goOn(world);
    expect(reported).toEqual([false, 'deployed by hand']);
    expect(await world.row()).toMatchObject({ status: 'completed', output: 'told' });
    expect(payloadsOf(await world.events(), 'skill.executed')).toHaveLength(1);
  });

  it('stays a failure when the person rejects, with what the person said', async () => {
    const { script, told: reported } = caller();
    const world = await open({ root, skills: [failing], script });
    await world.run();
    await answer(world, { action: 'reject', comment: 'not today' });
    await goOn(world);

    expect(reported).toMatchObject([
      true,
      { status: 'failed', reason: 'exit_code', message: expect.stringContaining('not today') },
    ]);
  });

  it('asks nobody about a call that was denied, or whose arguments do not fit', async () => {
    const { script, told: reported } = caller();
    const strict = { ...failing, inputs: { type: 'object', required: ['target'] } };
    const world = await open({ root, skills: [strict], script });
    await world.run();

    expect(reported).toMatchObject([true, { reason: 'invalid_arguments' }]);
    expect((await reviews(world)).items).toEqual([]);
  });

  it('lets the calls beside it come to their own end first, and does none of them twice', async () => {
    const marking = commandSkill('mark', ['sh', '-c', 'echo done >> marks; echo marked']);
    const world = await open({
      root: agent('root', { role: 'root', skills: ['deploy', 'mark'] }),
      skills: [failing, marking],
      script: ({ turn }) => (turn === 0 ? [call('deploy', { input: '' }), call('mark', { input: '' })] : 'told'),
    });
    await world.run();
    await answer(world, { action: 'approve' });
    await goOn(world);

    expect(await world.row()).toMatchObject({ status: 'completed' });
    expect(readFileSync(join(world.dir, 'marks'), 'utf8')).toBe('done\n');
  });
});

describe('a call of which nobody knows whether it took effect', () => {
  const waiting = commandSkill(
    'deploy',
    ['sh', '-c', 'echo begun >> starts; while [ ! -e go ]; do sleep 0.02; done; echo done'],
    {
      onInDoubt: 'ask',
    },
  );
  const starts = (world: World): string =>
    existsSync(join(world.dir, 'starts')) ? readFileSync(join(world.dir, 'starts'), 'utf8') : '';

  async function cutOff(script: Script): Promise<World> {
    const abort = new AbortController();
    const world = await open({ root, skills: [waiting], script });
    const running = world.run({ abort: abort.signal });
    await until('the tool runs', () => starts(world) !== '');
    abort.abort();
    await running;
    expect(await world.runClaim(await world.resume())).toMatchObject({ kind: 'parked' });
    return world;
  }

  it('is put before a person instead of being done again, with on_in_doubt: ask', async () => {
    const { script, told: reported } = caller();
    const world = await cutOff(script);

    expect(starts(world)).toBe('begun\n');
    expect(payloadsOf(await world.events(), 'step.in_doubt')).toMatchObject([{ action: 'ask' }]);
    await answer(world, { action: 'answer', text: 'it is deployed' });
    await goOn(world);
    expect(reported).toEqual([false, 'it is deployed']);
    expect(starts(world)).toBe('begun\n');
    expect(payloadsOf(await world.events(), 'step.repeated')).toEqual([]);
  });

  it('is told to the model as data when the person rejects', async () => {
    const { script, told: reported } = caller();
    const world = await cutOff(script);
    await answer(world, { action: 'reject' });
    await goOn(world);

    expect(reported).toMatchObject([true, { status: 'failed', reason: 'in_doubt' }]);
    await expect(decide(world, { role: 'qa' })).rejects.toThrow('no open task');
  });
});
