// Links the package into its own node_modules, so that bundled plugins resolve `@kit-run/kit/...`
// as a third party does. A devDependency `file:.` would do the same, but with it in the lockfile
// npm 11 cannot run `npx kit` in a checkout.
import { mkdir, realpath, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';

export async function linkSelf(root) {
  const link = join(root, 'node_modules', '@kit-run', 'kit');
  const [actual, wanted] = await Promise.all([realpath(link).catch(() => null), realpath(root)]);
  if (actual === wanted) return true;
  await rm(link, { force: true, recursive: true });
  await mkdir(join(link, '..'), { recursive: true });
  await symlink(process.platform === 'win32' ? wanted : '../..', link, 'junction');
  return true;
}
