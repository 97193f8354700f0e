import { describe, expect, it } from 'vitest';
import { AnswerBook } from '../../src/cassette/answer-book.js';
import { parseCassette } from '../../src/cassette/read-cassette.js';
import type { RecordedRequest } from '../../src/cassette/write-cassette.js';
import type { JsonObject } from '../../src/domain/json.js';
import { StepFailure } from '../../src/engine/step-failure.js';
import { ASKED_COMMAND, aCassette, answerLines, askedModel } from './samples.js';

const KEY = 'root/d0/t0';
const model = (over: JsonObject = {}, at: Partial<RecordedRequest> = {}): RecordedRequest => ({
  kind: 'model',
  key: KEY,
  n: 0,
  asked: askedModel(over),
  ...at,
});
const bookOf = (...args: Parameters<typeof aCassette>): AnswerBook =>
  new AnswerBook(parseCassette(aCassette(...args), 'x'));

function missOf(book: AnswerBook, asked: RecordedRequest): string {
  try {
    book.take(asked);
  } catch (error) {
    if (!(error instanceof StepFailure)) throw error;
    expect(error.reason).toBe('replay.miss');
    return error.message;
  }
  throw new Error('it was answered');
}

describe('an answer of a cassette', () => {
  it('is given for the very request that was recorded, again and again', () => {
    const book = bookOf();

    expect(book.take(model())).toEqual({ result: { ok: true }, price: null });
    expect(book.take(model())).toEqual(book.take(model()));
    expect(book.take({ kind: 'command', key: 'root/d0/t0/c0:note', n: 0, asked: ASKED_COMMAND })).toMatchObject({
      lines: ['noted'],
    });
    expect(book.firstMiss).toBeNull();
  });

  it.each([
    { what: 'another model', over: { model: 'm2' }, says: 'first difference at /model: recorded "m1", asked "m2"' },
    {
      what: 'another provider',
      over: { provider: 'other' },
      says: 'first difference at /provider: recorded "local", asked "other"',
    },
    {
      what: 'a temperature',
      over: { temperature: 0.5 },
      says: 'first difference at /temperature: recorded null, asked 0.5',
    },
    {
      what: 'an option',
      over: { options: { seed: 1 } },
      says: 'first difference at /options/seed: recorded nothing, asked 1',
    },
    {
      what: 'a schema',
      over: { outputSchema: { type: 'object' } },
      says: 'first difference at /outputSchema: recorded null, asked {"type":"object"}',
    },
    {
      what: 'a tool',
      over: { tools: [{ name: 'x' }] },
      says: 'first difference at /tools/0: recorded nothing, asked {"name":"x"}',
    },
    {
      what: 'a prompt',
      over: { messages: [{ role: 'system', parts: [{ type: 'text', text: 'You hinder.' }] }] },
      says: '/messages/0/parts/0/text: recorded "You help.", asked "You hinder."',
    },
  ])('is not given for $what, and the first difference is named', ({ over, says }) => {
    expect(missOf(bookOf(), model(over))).toContain(says);
  });

  it('is not given at another step: the nearest one is named and not used', () => {
    const said = missOf(bookOf(), model({}, { key: 'root/d0/t1' }));

    expect(said).toContain('model answer of the step root/d0/t1');
    expect(said).toContain('the nearest recorded step is root/d0/t0');
  });

  it('of another kind does not count at the same step', () => {
    expect(missOf(bookOf(), { kind: 'harness', key: KEY, n: 0, asked: {} })).toContain(
      'it holds no harness session at all',
    );
  });

  it('is not given for one attempt more than there were', () => {
    expect(missOf(bookOf(), model({}, { n: 1 }))).toContain(
      'it holds 1 model answer for this step, and one more is asked for',
    );
  });

  it('of a run that did not complete is missed with the end of that run', () => {
    const book = bookOf(answerLines({ kind: 'model', key: KEY }, askedModel(), {}), 'stopped');

    expect(missOf(book, model({}, { key: 'root/d0/t1' }))).toContain('the recorded run ended as stopped');
  });

  it('that is missed later on is reported with the first one that was', () => {
    const book = bookOf();
    const first = missOf(book, model({ model: 'm2' }));

    expect(missOf(book, model({}, { key: 'root/d0/t9' }))).toContain(first);
    expect(book.firstMiss).toBe(first);
  });

  it('of a step that was begun anew is that of the last beginning', () => {
    const attempt = (n: number, said: string) => answerLines({ kind: 'model', key: KEY, n }, askedModel(), { said });
    const book = bookOf([...attempt(0, 'a0'), ...attempt(1, 'a1'), ...attempt(0, 'b0')]);

    expect(book.take(model())).toEqual({ said: 'b0' });
    expect(missOf(book, model({}, { n: 1 }))).toContain('one more');
    expect(book.unused()).toEqual([]);
  });

  it('that nobody asked for is told', () => {
    const book = bookOf();
    book.take(model());

    expect(book.unused()).toEqual(['root/d0/t0/c0:note']);
  });

  it('whose request was taken out of the file by hand still answers that request', () => {
    const redacted = aCassette().replace('"text":"hi"', '"text":"[removed]"');
    const book = new AnswerBook(parseCassette(redacted, 'x'));

    expect(redacted).toContain('[removed]');
    expect(book.take(model())).toMatchObject({ result: { ok: true } });
  });
});
