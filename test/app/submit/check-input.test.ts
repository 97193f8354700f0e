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
