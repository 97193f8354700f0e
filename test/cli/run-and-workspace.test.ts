import { expect, it } from 'vitest';
import { runAndWorkspace } from '../../src/cli/run-and-workspace.js';

it('refuses an empty word, which is not a directory and not the newest run', () => {
  expect(() => runAndWorkspace({ run: '' }, process.cwd())).toThrow('the id of the run is empty');
});

it('takes a directory alone for the workspace', () => {
  expect(runAndWorkspace({ run: '.' }, process.cwd())).toEqual({ run: undefined, workspace: '.' });
  expect(runAndWorkspace({ run: '4f2a' }, process.cwd())).toEqual({ run: '4f2a', workspace: undefined });
});
