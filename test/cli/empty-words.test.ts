import { expect, it } from 'vitest';
import { withLikelyWord, withoutEmptyWords } from '../../src/cli/misspelt.js';

const refusal = (args: Record<string, unknown>, flags: Record<string, unknown> = {}) => {
  try {
    withoutEmptyWords({ args, flags });
    return null;
  } catch (error) {
    return error;
  }
};

it('refuses an empty word that would name something, and says where such names are listed', () => {
  expect(refusal({ run: '', workspace: undefined })).toMatchObject({
    code: 'KIT_USAGE',
    message: 'the argument RUN is empty',
    hint: 'Write it, or set the variable that stands there. `kit status` lists the runs.',
  });
  expect(refusal({ item: '' })).toMatchObject({ hint: expect.stringContaining('`kit review list`') });
  expect(refusal({ workspace: '' })).toMatchObject({ message: 'the argument WORKSPACE is empty' });
});

it('refuses an empty flag that names something', () => {
  expect(refusal({}, { workspace: '' })).toMatchObject({ message: 'the flag --workspace is empty' });
  expect(refusal({}, { 'run-id': '' })).toMatchObject({ hint: expect.stringContaining('`kit status`') });
  expect(refusal({}, { supersedes: '' })).toMatchObject({ message: 'the flag --supersedes is empty' });
});

it('leaves text to the use case, and words that are there', () => {
  expect(
    refusal({ text: '', run: '4f2a', workspace: undefined }, { input: '', comment: '', workspace: '.' }),
  ).toBeNull();
});

it('says which value a flag lacks, and what it is for', () => {
  const known = {
    ...{ command: 'kit run', args: {} },
    flags: { input: { description: 'The input.', helpValue: 'TEXT' } },
  };
  const refused = new Error('Flag --input expects a value');
  expect(withLikelyWord(refused, known)).toMatchObject({
    code: 'KIT_USAGE',
    message: '--input needs a value: The input',
    hint: 'Write --input TEXT.',
  });
});
