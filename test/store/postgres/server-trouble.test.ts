import { expect, it } from 'vitest';
import { asServerTrouble } from '../../../src/store/postgres/server-trouble.js';

it.each([
  ['57P03', 'KIT_STORE_UNAVAILABLE', 'recovering', 'pg_isready'],
  ['53300', 'KIT_STORE_UNAVAILABLE', 'no connection free', 'max_connections'],
  ['53100', 'KIT_STORE_FULL', 'no room', null],
  ['25006', 'KIT_STORE_READ_ONLY', 'takes no writes', null],
  ['XX001', 'KIT_STORE_CORRUPT', 'damaged', null],
  ['42501', 'KIT_STORE_REFUSED', 'lacks a right', 'GRANT'],
])('what a server says of itself by %s is %s, in a sentence with a way on', (state, code, sentence, hint) => {
  const reported = asServerTrouble(new Error('what it said'), state);

  expect(reported).toMatchObject({ code, message: expect.stringContaining(sentence) });
  if (hint !== null) expect(reported?.hint).toContain(hint);
  expect(reported?.hint).not.toBe('');
});

it('what no server says of itself is not trouble of its own', () => {
  expect(asServerTrouble(new Error('x'), '23505')).toBeNull();
  expect(asServerTrouble(new Error('x'), null)).toBeNull();
});
