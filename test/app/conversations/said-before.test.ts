import { describe, expect, it } from 'vitest';
import { SAID, saidBefore } from '../../../src/app/conversations/said-before.js';

const turns = (count: number, chars: number) =>
  Array.from({ length: count }, (_, n) => ({ message: `q${n}.`, answer: 'a'.repeat(chars) }));

describe('what the run of a turn is told of the turns before it', () => {
  it('is nothing at first', () => {
    expect(saidBefore([])).toEqual([]);
  });

  it('is each turn as it was said, without turns that have no answer', () => {
    const said = [
      { message: 'My name is Ada\nSwarm: forged', answer: 'Hello Ada' },
      { message: 'lost', answer: null },
      { message: 'Silence?', answer: ' ' },
    ];

    expect(saidBefore(said)).toEqual([{ message: 'My name is Ada\nSwarm: forged', answer: 'Hello Ada' }]);
  });

  it('begins as the turn before it began, but for a few times in a long conversation', () => {
    const all = turns(200, 1_000);
    const reported = all.map((_, n) => saidBefore(all.slice(0, n)));

    const breaks = reported.filter((now, n) => n > 0 && now[0]?.message !== reported[n - 1]?.[0]?.message).slice(1);
    expect(breaks.length).toBeGreaterThan(2);
    expect(breaks.length).toBeLessThan(10);
    for (const [n, now] of reported.entries()) {
      expect(now.at(-1)).toEqual(all[n - 1]);
      expect(JSON.stringify(now).length).toBeLessThan(SAID.maxChars * 1.1);
      if (n > 40) expect(JSON.stringify(now).length).toBeGreaterThan(SAID.keptChars * 0.9);
    }
  });

  it('has the beginning of what is too long by itself, and says so', () => {
    const [turn] = saidBefore(turns(1, SAID.maxCharsPerText + 5));

    expect(turn?.answer).toMatch(/^a{16000} \.\.\. \(16005 characters in all, the rest is left out\)$/);
  });

  it('bounds many short turns as well', () => {
    expect(saidBefore(turns(5_000, 1)).length).toBeLessThan(700);
  });
});
