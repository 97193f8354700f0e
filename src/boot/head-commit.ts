/**
 * null: no repository, or one without a commit; what needs one says so. Throws
 * KIT_SANDBOX_UNAVAILABLE when there is no git.
 */
export async function headCommit(directory: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const [{ createGit }, { childEnvironment }] = await Promise.all([
    import('../system/worktrees/git.js'),
    import('../system/child-env.js'),
  ]);
  const { exitCode, stdout } = await createGit(childEnvironment(env)).call(
    ['rev-parse', '--verify', '--quiet', 'HEAD'],
    { cwd: directory },
  );
  return exitCode === 0 ? stdout.trim() : null;
}
