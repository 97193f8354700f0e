import { expect, it } from 'vitest';
import { describeError } from '../../src/cli/problem.js';

it('a process or a machine without a file descriptor left is told so, whatever file the system names', () => {
  for (const code of ['EMFILE', 'ENFILE']) {
    const thrown = Object.assign(new Error(`${code}: too many open files, open '/x/package.json'`), { code });
    expect(describeError(thrown)).toMatchObject({
      code: 'KIT_TOO_MANY_FILES',
      exit: 1,
      hint: expect.stringContaining('ulimit -n'),
      message: expect.not.stringContaining('package.json'),
    });
  }
  expect(describeError(Object.assign(new Error('gone'), { code: 'ENOENT' }))).toMatchObject({ code: 'KIT_INTERNAL' });
});
