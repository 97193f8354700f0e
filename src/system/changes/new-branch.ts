import { KitError } from '../../domain/errors.js';
import type { Git, GitCall } from '../worktrees/git.js';
import type { RepositoryPlace } from '../worktrees/repository.js';

/** Throws KIT_APPLY_REFUSED for a name that is none, and for a branch that exists. */
export async function checkBranch(git: Git, { topLevel }: RepositoryPlace, name: string): Promise<void> {
  const call = { cwd: topLevel };
  const ref = refOf(name);
  if (name.startsWith('-') || (await git.call(['check-ref-format', ref], call)).exitCode !== 0)
    throw new KitError('KIT_APPLY_REFUSED', `${JSON.stringify(name)} is not a name of a branch`, {
      hint: 'Write --branch with a name that `git branch` takes.',
    });
  if ((await git.call(['show-ref', '--verify', '--quiet', ref], call)).exitCode === 0)
    throw new KitError('KIT_APPLY_REFUSED', `there is a branch ${name} already`, {
      hint: 'Name another branch: one that is there is never changed.',
    });
}

/**
 * One commit on top of `parent` under a new name, by the user's own identity; the working tree and
 * what is checked out stay. Throws KIT_APPLY_REFUSED where git does not know who the user is.
 */
export async function makeBranch(
  git: Git,
  call: GitCall,
  of: { readonly parent: string; readonly tree: string; readonly name: string; readonly message: string },
): Promise<string> {
  const made = await git.call(['commit-tree', of.tree, '-p', of.parent, '-F', '-'], { ...call, stdin: of.message });
  if (made.exitCode !== 0)
    throw new KitError('KIT_APPLY_REFUSED', `git makes no commit: ${reasonOf(made.stderr)}`, {
      hint: 'Tell git who you are: git config user.name "Your Name" && git config user.email you@example.com',
    });
  const commit = made.stdout.trim();
  // The empty old value: it must not be there, also when somebody makes it this moment.
  await git.expect(['update-ref', '-m', 'kit apply', refOf(of.name), commit, ''], call);
  return commit;
}

/** git puts its advice before the line that says what is wrong. */
const reasonOf = (stderr: string): string =>
  stderr.split('\n').findLast((line) => line.startsWith('fatal: ')) ?? stderr.trim();

const refOf = (name: string): string => `refs/heads/${name}`;
