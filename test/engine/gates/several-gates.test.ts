import { describe, expect, it } from 'vitest';
import { decide, gatedBy, goOn, ONE_ROLE, openRounds, reviews, TWO_ROLES, typesOf } from '../../support/gated.js';
import { agent, call, type Script } from '../../support/run-world.js';
import { failedSteps, lawfulWorlds } from '../laws.js';

const open = lawfulWorlds();
const gated = (id: string) => agent(id, { funnel: 'sign-off' });
const delegate = (...tasks: readonly (readonly [string, string])[]) =>
  tasks.map(([child, task], index) => call(`delegate_to_${child}`, { task }, `call-${index}`));

/** The root hands out `tasks` in its first turn, and then answers with what it was told. */
const handingOut =
  (tasks: readonly (readonly [string, string])[], child: Script): Script =>
  (turn) => {
    if (turn.agent !== 'root') return child(turn);
    if (turn.turn === 0) return delegate(...tasks);
    const results = turn.request.messages.flatMap((message) =>
      message.parts.flatMap((part) => (part.type === 'tool_result' ? [part.output] : [])),
    );
    return JSON.stringify(results);
  };

const taskOf: Script = ({ request }) => {
  const text = request.messages
    .flatMap(({ role, parts }) => (role === 'user' ? parts : []))
    .flatMap((part) => (part.type === 'text' ? [part.text] : []))
    .join('\n');
  return `${text.split('\n')[0]}${text.includes('Decisions of the reviewers') ? ' reworked' : ''}`;
};

describe('a gate among parallel children', () => {
  it('lets its siblings come to their own end before the run parks, and tells the results in call order', async () => {
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const tasks = [
      ['a', 'A'],
      ['b', 'B'],
      ['c', 'C'],
    ] as const;
    const world = await open({
      root: agent('root', { role: 'root', children: [agent('a'), gated('b'), agent('c')] }),
      ...gatedBy(ONE_ROLE),
      script: handingOut(tasks, async (turn) => {
        if (turn.agent === 'c') await held;
        return taskOf(turn);
      }),
    });
    const running = world.run();
    await expect.poll(async () => typesOf(world)).toContain('funnel.gate_opened');
    expect((await world.row()).status).toBe('running');
    release();

    expect(await running).toEqual({ kind: 'parked', waitingOn: [`${world.job.id}:b`] });
    expect(
      (await world.events()).flatMap((event) => (event.type === 'agent.completed' ? [event.agentId] : [])).sort(),
    ).toEqual(['a', 'c']);
    await decide(world, { role: 'qa' });
    await goOn(world);
    expect(await world.row()).toMatchObject({ status: 'completed', output: '["A","B","C"]' });
  });

  it('waits for two gates at once, names both in call order, and goes on after each', async () => {
    const tasks = [
      ['b', 'B'],
      ['a', 'A'],
    ] as const;
    const world = await open({
      root: agent('root', { role: 'root', children: [gated('a'), gated('b')] }),
      ...gatedBy(ONE_ROLE),
      script: handingOut(tasks, taskOf),
    });
    const [a, b] = [`${world.job.id}:a`, `${world.job.id}:b`];
    expect(await world.run()).toEqual({ kind: 'parked', waitingOn: [b, a] });
    expect((await world.row()).error).toBe(
      `awaiting review: gate ${b} awaits sign-off by qa; gate ${a} awaits sign-off by qa`,
    );

    await decide(world, { role: 'qa', gateId: a });
    expect(await goOn(world)).toEqual({ kind: 'parked', waitingOn: [b] });
    expect((await typesOf(world)).filter((type) => type === 'funnel.gate_opened')).toHaveLength(2);
    await decide(world, { role: 'qa', gateId: b });
    await goOn(world);
    expect(await world.row()).toMatchObject({ status: 'completed', output: '["B","A"]' });
  });

  it('ends with the rejection of one gate, and with its words, whichever branch comes first', async () => {
    const world = await open({
      root: agent('root', { role: 'root', children: [gated('a'), gated('b')] }),
      ...gatedBy(ONE_ROLE),
      script: handingOut(
        [
          ['a', 'A'],
          ['b', 'B'],
        ],
        taskOf,
      ),
    });
    await world.run();
    await decide(world, { role: 'qa', gateId: `${world.job.id}:b`, outcome: 'reject', comment: 'no' });
    await goOn(world);

    const row = await world.row();
    expect(row).toMatchObject({ status: 'failed', reason: 'gate_rejected' });
    expect(row.error).toContain(`gate ${world.job.id}:b rejected by qa-1: no`);
    expect(await openRounds(world)).toEqual([]);
  });

  it('gives way to the failure of a sibling: the run ends and its gate is withdrawn', async () => {
    const world = await open({
      root: agent('root', {
        role: 'root',
        children: [gated('a'), agent('b', { outputSchema: { type: 'object', required: ['x'] } })],
      }),
      ...gatedBy(ONE_ROLE),
      script: handingOut(
        [
          ['a', 'A'],
          ['b', 'B'],
        ],
        async (turn) => {
          if (turn.agent === 'b') await expect.poll(async () => typesOf(world)).toContain('funnel.gate_opened');
          return taskOf(turn);
        },
      ),
    });
    await world.run();

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'output_invalid' });
    expect(await openRounds(world)).toEqual([]);
  });

  it('holds back the children that depend on it, and those alone', async () => {
    const world = await open({
      root: agent('root', {
        role: 'root',
        children: [gated('a'), agent('b'), agent('c', { dependsOn: ['a'] }), agent('d', { dependsOn: ['b'] })],
      }),
      ...gatedBy(ONE_ROLE),
      script: handingOut(
        [
          ['a', 'A'],
          ['b', 'B'],
          ['c', 'C'],
          ['d', 'D'],
        ],
        (turn) => `${turn.agent} done`,
      ),
    });
    await world.run();
    expect(
      (await world.events()).flatMap((event) => (event.type === 'agent.completed' ? [event.agentId] : [])).sort(),
    ).toEqual(['b', 'd']);
    await decide(world, { role: 'qa' });
    await goOn(world);
    expect(await world.row()).toMatchObject({ status: 'completed', output: '["a done","b done","c done","d done"]' });
  });
});

describe('one gated agent that is delegated to twice', () => {
  const root = agent('root', { role: 'root', children: [gated('writer')] });
  const tasks = [
    ['writer', 'one'],
    ['writer', 'two'],
  ] as const;

  it('takes turns at its gate in call order; each result carries its own artifact and its own decisions', async () => {
    // The later call is ready first.
    let release = (): void => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const world = await open({
      root,
      ...gatedBy(TWO_ROLES),
      script: handingOut(tasks, async (turn) => {
        const answer = await taskOf(turn);
        if (answer === 'one') await held;
        if (answer === 'two') release();
        return answer;
      }),
    });
    const gateId = `${world.job.id}:writer`;
    const first = 'root/d0/t0/c0:writer';
    const second = 'root/d0/t0/c1:writer';

    expect(await world.run()).toEqual({ kind: 'parked', waitingOn: [gateId] });
    expect(await openRounds(world)).toMatchObject([{ round: 0, activation: first }]);

    await decide(world, { role: 'qa', outcome: 'changes_requested', comment: 'about one' });
    expect(await goOn(world)).toEqual({ kind: 'parked', waitingOn: [gateId] });
    expect(await openRounds(world)).toMatchObject([{ round: 1, activation: first }]);

    await decide(world, { role: 'qa' });
    await decide(world, { role: 'ops' });
    expect(await goOn(world)).toEqual({ kind: 'parked', waitingOn: [gateId] });
    expect(await openRounds(world)).toMatchObject([{ round: 2, activation: second }]);

    await decide(world, { role: 'ops', outcome: 'changes_requested', comment: 'about two' });
    await goOn(world);
    await decide(world, { role: 'ops' });
    await decide(world, { role: 'qa' });
    await goOn(world);

    expect(await world.row()).toMatchObject({ status: 'completed', output: '["one reworked","two reworked"]' });
    const { gates, decisions } = await reviews(world);
    expect(gates.map(({ round, activation, status }) => [round, activation, status])).toEqual([
      [0, first, 'changes-requested'],
      [1, first, 'approved'],
      [2, second, 'changes-requested'],
      [3, second, 'approved'],
    ]);
    for (const decision of decisions)
      expect(decision.sha256).toBe(gates.find((gate) => gate.round === decision.round)?.sha256);
    const texts = await Promise.all(
      gates.map(async (gate) =>
        new TextDecoder().decode((await world.stores.artifacts.read(gate.sha256)) ?? undefined),
      ),
    );
    expect(texts).toEqual(['one', 'one reworked', 'two', 'two reworked']);
  });

  it('does so in two turns of its caller as well: the second activation opens the next round', async () => {
    const world = await open({
      root,
      ...gatedBy(ONE_ROLE),
      script: (turn) => {
        if (turn.agent === 'writer') return taskOf(turn);
        return turn.turn < 2 ? delegate(['writer', turn.turn === 0 ? 'one' : 'two']) : 'done';
      },
    });
    await world.run();
    await decide(world, { role: 'qa' });
    await goOn(world);
    expect(await openRounds(world)).toMatchObject([{ round: 1, activation: 'root/d0/t1/c0:writer' }]);
    await decide(world, { role: 'qa' });
    await goOn(world);
    expect(await world.row()).toMatchObject({ status: 'completed', output: 'done' });
    expect(await failedSteps(world)).toEqual({});
  });
});
