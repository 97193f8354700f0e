import { afterEach, describe, expect, it } from 'vitest';
import type { Exchange } from '../../src/engine/activation-call.js';
import { historyMessages, historyText } from '../../src/engine/history.js';
import { agent, call, openWorld, type World } from '../support/run-world.js';

const exchanges = (count: number): readonly Exchange[] =>
  Array.from({ length: count }, (_, index) => ({ task: `task ${index}`, answer: `answer ${index}` }));

describe('historyMessages', () => {
  it('keeps the last turns whole and makes each older one a line', () => {
    const messages = historyMessages(exchanges(4), 2);

    expect(messages.map((message) => [message.role, message.parts[0]])).toEqual([
      ['user', { type: 'text', text: 'Earlier tasks and your answers:\n- task 0 -> answer 0\n- task 1 -> answer 1' }],
      ['user', { type: 'text', text: 'task 2' }],
      ['assistant', { type: 'text', text: 'answer 2' }],
      ['user', { type: 'text', text: 'task 3' }],
      ['assistant', { type: 'text', text: 'answer 3' }],
    ]);
  });

  it('cuts an older question to 80 and its answer to 120 characters', () => {
    const [summary] = historyMessages([{ task: 'q'.repeat(200), answer: 'a'.repeat(200) }], 0);

    const text = summary?.parts[0]?.type === 'text' ? summary.parts[0].text : '';
    expect(text.split('\n')[1]).toBe(`- ${'q'.repeat(79)}… -> ${'a'.repeat(119)}…`);
  });

  it('says nothing where nothing was asked before', () => {
    expect(historyMessages([], 3)).toEqual([]);
    expect(historyText([], 3)).toBe('');
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
