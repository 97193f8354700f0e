import { describe, expect, it } from 'vitest';
import { askTogether } from '../../src/lib/ask-together.js';

/** Questions about numbers; a turn is over when the test says so. */
function desk(answer: (keys: readonly number[]) => Promise<(key: number) => string>) {
  const turns: (() => void)[] = [];
  const asked: (readonly number[])[] = [];
  const ask = askTogether(
    (keys: readonly number[]) => {
      asked.push(keys);
      return answer(keys);
    },
    (work) => void turns.push(work),
  );
  return { ask, asked, endTurn: () => turns.shift()?.() };
}

describe('questions that are asked together', () => {
  it('puts the questions of one turn to the other side once, each key once, and gives everybody their own answer', async () => {
    const { ask, asked, endTurn } = desk(async () => (key) => `about ${key}`);
    const answers = [ask(1), ask(2), ask(1)];
    endTurn();
    expect(await Promise.all(answers)).toEqual(['about 1', 'about 2', 'about 1']);
    expect(asked).toEqual([[1, 2]]);
  });

  it('asks anew for a question that comes after its turn: an answer is never kept', async () => {
    let time = 0;
    const { ask, endTurn } = desk(async () => {
      const now = ++time;
      return () => `at ${now}`;
    });
    const first = ask(1);
    endTurn();
    const second = ask(1);
    endTurn();
    expect(await Promise.all([first, second])).toEqual(['at 1', 'at 2']);
  });

  it('fails everybody of the turn that failed, and nobody of the next', async () => {
    let isBroken = true;
    const { ask, endTurn } = desk(async () => {
      if (isBroken) throw new Error('locked');
      return () => 'open';
    });
    const answers = [ask(1), ask(2)];
    endTurn();
    expect(await Promise.allSettled(answers)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }]);
    isBroken = false;
    const later = ask(1);
    endTurn();
    expect(await later).toBe('open');
  });
});
