import { describe, expect, it } from 'vitest';
import { cosine, EMBEDDING_DIMENSIONS, embedText } from '../../src/lib/ngram-embedding.js';

const near = (a: string, b: string): number => cosine(embedText(a), embedText(b));

describe('embedText', () => {
  it('gives a vector of length 1 and of the documented number of dimensions', () => {
    const vector = embedText('Refund the order and tell the customer');
    expect(vector).toHaveLength(EMBEDDING_DIMENSIONS);
    expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
  });

  it('gives the same numbers for the same text on every machine', () => {
    const places = [...embedText('refund order', 16)].map((value) => Math.round(value * 1000));
    expect(places).toMatchInlineSnapshot(`
      [
        0,
        0,
        385,
        -192,
        -192,
        0,
        192,
        192,
        0,
        0,
        -192,
        0,
        -577,
        0,
        -577,
        0,
      ]
    `);
  });

  it('does not count case, punctuation and width', () => {
    expect(near('Refund, the ORDER!', 'refund the order')).toBeCloseTo(1, 5);
    expect(near('ｒｅｆｕｎｄ', 'refund')).toBeCloseTo(1, 5);
  });

  it('puts a text nearer to one of its own subject than to one of another', () => {
    const goal = 'Write release notes for the payment service';
    const onSubject = 'Release notes of the payment service: retries of payments are now idempotent';
    expect(near(goal, onSubject)).toBeGreaterThan(near(goal, 'Bananas grow in warm climates') + 0.3);
  });

  it('knows an inflected word by its pieces', () => {
    expect(near('payment retry', 'payments retries')).toBeGreaterThan(0.2);
  });

  it('takes a script without spaces', () => {
    expect(near('請求書を送る', '請求書を送った')).toBeGreaterThan(near('請求書を送る', '天気がいい'));
  });

  it('gives zeros for a text without a letter, and no direction to compare', () => {
    expect(embedText('... !!').every((value) => value === 0)).toBe(true);
    expect(near('', 'anything')).toBe(0);
  });

  it('never leaves the range of a cosine, whatever is compared', () => {
    expect(cosine([1e200, 1e200], [1e200, 1e200])).toBeLessThanOrEqual(1);
    expect(cosine([1, 2], [1, 2, 3])).toBe(0);
    expect(cosine([1, 0], [-2, 0])).toBe(-1);
  });
});
