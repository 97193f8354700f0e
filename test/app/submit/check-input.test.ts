import { expect, it } from 'vitest';
import { checkInput } from '../../../src/app/submit/check-input.js';

const NESTED = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

it.each([
  ['a value', null, JSON.parse(NESTED)],
  ['a text that holds one', { type: 'array' }, NESTED],
])('refuses %s that is nested beyond bounds', async (_, schema, input) => {
  expect(await checkInput(schema, input)).toEqual({
    ok: false,
    errors: [{ pointer: '', message: 'the input is nested more than 200 levels deep' }],
  });
});

it('takes a text of brackets as it is where no schema asks for JSON', async () => {
  expect(await checkInput(null, NESTED)).toEqual({ ok: true, text: NESTED, checked: false });
});

it.each([
  ['a value', null, JSON.parse('{"a": [1e999]}')],
  ['a number', null, JSON.parse('-1e999')],
  ['a text that holds one', { type: 'object' }, '{"a": [1e999]}'],
])('refuses %s that JSON could not write as it was read', async (_, schema, input) => {
  expect(await checkInput(schema, input)).toEqual({
    ok: false,
    errors: [{ pointer: '', message: 'the input holds a number that is too large: it would be read as null' }],
  });
});
