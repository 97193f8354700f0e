import { expect, it } from 'vitest';
import { MASK, Masker } from '../../src/lib/masker.js';

const SECRET = 'planted-secret-of-a-test';
const LEVELS = 14;

/** A value in `LEVELS` others of one kind, and how often the innermost member was looked at. */
function nested(wrap: (inner: unknown) => unknown): { readonly value: unknown; readonly looks: () => number } {
  let looks = 0;
  const innermost = {
    get text(): string {
      looks += 1;
      return SECRET;
    },
  };
  let value: unknown = innermost;
  for (let level = 0; level < LEVELS; level += 1) value = wrap(value);
  return { value, looks: () => looks };
}

it.each([
  ['objects', (inner: unknown) => ({ before: 1, inner, after: [] })],
  ['lists', (inner: unknown) => [1, inner, {}]],
])('looks once at a secret that lies in many %s', (_kind, wrap) => {
  const { value, looks } = nested(wrap);

  const masked = new Masker([SECRET]).maskJson(value);

  expect(looks()).toBe(1);
  expect(JSON.stringify(masked)).toBe(JSON.stringify(value).replace(SECRET, MASK));
});

it('copies what it changes, and keeps the rest as it is', () => {
  const kept = { deep: [{ text: 'plain' }] };
  const value = { kept, [SECRET]: 1, list: [kept, SECRET, kept], last: null };
  const masker = new Masker([SECRET]);

  const masked = masker.maskJson(value) as unknown as Record<string, unknown>;

  expect(masked).toEqual({ kept, [MASK]: 1, list: [kept, MASK, kept], last: null });
  expect(Object.keys(masked)).toEqual(['kept', MASK, 'list', 'last']);
  expect(masked.kept).toBe(kept);
  expect(masker.maskJson(kept)).toBe(kept);
});
