import { describe, expect, it } from 'vitest';
import { HISTORY, turnInput } from '../../../src/app/conversations/turn-input.js';

describe('what the run of a turn is asked', () => {
  it('is the message alone at first', () => {
    expect(turnInput([], 'Hello')).toBe('Hello');
  });

  it('is the talk so far and then the message, without turns that have no answer', () => {
    const turns = [
      { message: 'My name is Ada', answer: 'Hello Ada' },
      { message: 'lost', answer: null },
    ];
    expect(turnInput(turns, 'Who am I?')).toBe(
      'The conversation so far:\n\nHuman: My name is Ada\nSwarm: Hello Ada\n\nHuman: Who am I?',
    );
  });

  it('leaves out the oldest when it grows too long, and cuts what is too long by itself', () => {
    const long = 'x'.repeat(HISTORY.maxCharsPerText + 100);
    const turns = Array.from({ length: 50 }, (_, n) => ({ message: `${n}`, answer: long }));
    const input = turnInput(turns, 'now');
    expect(input.length).toBeLessThan(HISTORY.maxChars + 200);
    expect(input).toContain('Human: 49\n');
    expect(input).not.toContain('Human: 30\n');
    expect(input).toContain('[...]');
    expect(input.endsWith('Human: now')).toBe(true);
  });

  it('tells of the newest turns alone when there are many', () => {
    const turns = Array.from({ length: 30 }, (_, n) => ({ message: `q${n}.`, answer: 'a' }));
    const input = turnInput(turns, 'now');
    expect(input).toContain('q10.');
    expect(input).not.toContain('q9.');
  });
});
