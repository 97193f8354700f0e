import { afterEach, describe, expect, it } from 'vitest';
import { RULE_SET, type RunSnapshot } from '../../src/domain/snapshot.js';
import { type History, NO_HISTORY } from '../../src/engine/activation-call.js';
import { historyMessages, historyText } from '../../src/engine/history.js';
import { agent, call, openWorld, type World } from '../support/run-world.js';

const asked = (count: number): History => ({
  // The caller goes on asking.
  exchanges: Array.from({ length: count + 1 }, (_, n) => ({ task: `task ${n}`, answer: `answer ${n}` })),
  count,
});

const snapshotOf = (turns: number, ruleSet = RULE_SET) =>
  ({ env: { KIT_HISTORY_TURNS: turns }, ruleSet }) as Partial<RunSnapshot> as RunSnapshot;

function linesOf(count: number, ruleSet?: number): readonly string[] {
  const [first] = historyMessages(snapshotOf(3, ruleSet), asked(count));
  return first?.parts[0]?.type === 'text' ? first.parts[0].text.split('\n') : [];
}

describe('historyMessages', () => {
  it('keeps the last turns whole and makes each older one a line', () => {
    const messages = historyMessages(snapshotOf(2), asked(4));

    expect(messages.map((message) => [message.role, message.parts[0]])).toEqual([
      ['user', { type: 'text', text: 'Earlier tasks and your answers:\n- task 0 -> answer 0\n- task 1 -> answer 1' }],
      ['user', { type: 'text', text: 'task 2' }],
      ['assistant', { type: 'text', text: 'answer 2' }],
      ['user', { type: 'text', text: 'task 3' }],
      ['assistant', { type: 'text', text: 'answer 3' }],
    ]);
  });

  it('cuts an older question to 80 and its answer to 120 characters', () => {
    const long = { task: 'q'.repeat(200), answer: 'a'.repeat(200) };
    const [summary] = historyMessages(snapshotOf(0), { exchanges: [long], count: 1 });

    const text = summary?.parts[0]?.type === 'text' ? summary.parts[0].text : '';
    expect(text.split('\n')[1]).toBe(`- ${'q'.repeat(79)}… -> ${'a'.repeat(119)}…`);
  });

  it('says nothing where nothing was asked before', () => {
    expect(historyMessages(snapshotOf(3), NO_HISTORY)).toEqual([]);
    expect(historyText(snapshotOf(3), NO_HISTORY)).toBe('');
  });

  it.each([
    [103, 0, 100],
    [104, 50, 51],
    [153, 50, 100],
    [154, 100, 51],
    [5_003, 4_900, 100],
  ])('tells of %i exchanges without the first %i: in %i lines', (count, leftOut, told) => {
    const [title, ...lines] = linesOf(count);

    const which = leftOut === 0 ? '' : ` (the first ${leftOut} are left out)`;
    expect(title).toBe(`Earlier tasks and your answers${which}:`);
    expect(lines).toHaveLength(told);
    expect(lines[0]).toBe(`- task ${leftOut} -> answer ${leftOut}`);
    expect(lines.at(-1)).toBe(`- task ${count - 4} -> answer ${count - 4}`);
  });

  it('tells of all of them in a run of before', () => {
    expect(linesOf(5_003, 6)).toHaveLength(1 + 5_000);
  });
});

describe('an agent that is asked again', () => {
  let world: World;
  afterEach(() => world.close());

  const askTwice = async (turns: number): Promise<readonly string[]> => {
    const seen: string[][] = [];
    world = await openWorld({
      root: agent('root', { role: 'root', children: [agent('child')] }),
      env: { KIT_HISTORY_TURNS: turns },
      script: ({ agent: id, request }) => {
        const asked = request.messages.filter((message) => message.role === 'tool').length;
        if (id === 'root')
          return asked < 2 ? [call('delegate_to_child', { task: `question ${asked + 1}` }, `c${asked}`)] : 'done';
        seen.push(
          request.messages
            .slice(1)
            .map((message) => `${message.role}: ${message.parts[0]?.type === 'text' ? message.parts[0].text : ''}`),
        );
        return `reply ${seen.length}`;
      },
    });
    const result = await world.run();
    expect(result).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
    expect(await world.replay()).toEqual({ kind: 'completed', output: 'done' });
    return seen[1] ?? [];
  };

  it('sees its earlier task and answer', async () => {
    expect(await askTwice(3)).toEqual(['user: question 1', 'assistant: reply 1', 'user: question 2']);
  });

  it('sees a line of them when no turn is kept whole', async () => {
    expect(await askTwice(0)).toEqual([
      'user: Earlier tasks and your answers:\n- question 1 -> reply 1',
      'user: question 2',
    ]);
  });
});
