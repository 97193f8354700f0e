import { expect, it, onTestFinished } from 'vitest';
import { talk } from './workspaces.js';
import { lastOf, makeWorld } from './world.js';

// In a process of its own: what the command line's parser does with stdin is what is asked.
it.each([
  { line: 'with `-i -`', words: ['-i', '-'] },
  { line: 'by itself', words: [] },
])('the input comes from a pipe where the workspace is the current directory: $line', async ({ words }) => {
  const world = await makeWorld();
  onTestFinished(() => world.dispose());
  const cwd = world.files('talk', talk());

  const result = await world.kit(['run', 'talk', ...words, '--json'], { cwd, stdin: 'from a pipe' });

  expect(result.code).toBe(0);
  expect(lastOf(result)).toMatchObject({ status: 'completed', input: 'from a pipe' });
});
