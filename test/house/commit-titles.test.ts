import { spawnSync } from 'node:child_process';
import { expect, it, onTestFinished } from 'vitest';
import { projectRoot } from '../support/kit-process.js';
import { createRepository } from '../support/repository.js';

const MAX_COLUMNS = 72;
/** The rule holds for what came after this commit. */
const BASE = '382a9e2a4217a8027baae9ac5eeadbeec344ec89';

/**
 * The titles since a commit that are too long. Null = there is no history that knows it: a tarball,
 * or a clone of the last commits.
 */
function longTitles(cwd: string, base: string): readonly string[] | null {
  const git = (...args: string[]) => spawnSync('git', args, { cwd, encoding: 'utf8' });
  if (git('merge-base', '--is-ancestor', base, 'HEAD').status !== 0) return null;
  const titles = git('log', '--format=%s', `${base}..HEAD`).stdout.split('\n');
  return titles.filter((title) => [...title].length > MAX_COLUMNS);
}

it('is told of a title that is too long, and of no older one', () => {
  const repository = createRepository();
  onTestFinished(() => repository.dispose());
  const commit = (title: string) => repository.git('commit', '--quiet', '--allow-empty', `--message=${title}\n\nWhy.`);
  commit('o'.repeat(80));
  const base = repository.git('rev-parse', 'HEAD').trim();
  commit('x'.repeat(72));
  commit('y'.repeat(73));

  expect(longTitles(repository.root, base)).toEqual(['y'.repeat(73)]);
  expect(longTitles(repository.root, BASE)).toBeNull();
});

it('every commit has a title that a list of commits shows whole', (context) => {
  const titles = longTitles(projectRoot, BASE);
  if (titles === null) return context.skip('the history does not reach back');

  expect(titles).toEqual([]);
});
