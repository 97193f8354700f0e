import { execFile } from 'node:child_process';
import { copyFileSync, cpSync, mkdirSync, statSync, utimesSync } from 'node:fs';
import { glob, mkdir, mkdtemp, readdir, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from './kit-process.js';

/** Of what git does not know: the build. */
const BUILT = [
  'dist',
  'oclif.manifest.json',
  // The last thing that a build writes: without it everything is folded again.
  'NOTICE',
];

/**
 * The checkout as it is, with its build, in a private directory: one whose files a test may break.
 * It has the libraries of this one and its own plugins. The caller removes it.
 */
export async function copyCheckout(): Promise<string> {
  const copy = await mkdtemp(join(tmpdir(), 'kit-checkout-'));
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z', '-co', '--exclude-standard'], {
    cwd: projectRoot,
    maxBuffer: 64 * 1024 ** 2,
  });
  const plugins = (await readdir(join(projectRoot, 'plugins'))).flatMap((name) => [
    `plugins/${name}/dist`,
    `plugins/${name}/src/generated`,
    `plugins/${name}/oclif.manifest.json`,
  ]);
  const generated: string[] = [];
  for await (const folder of glob('src/**/generated', { cwd: projectRoot })) generated.push(folder);
  for (const path of [...stdout.split('\0').filter(Boolean), ...BUILT, ...generated, ...plugins]) copyPath(path, copy);
  await linkLibraries(copy);
  return copy;
}

/**
 * With its times, by which a build knows what it has built. By calls that wait: of thousands of
 * small files a promise each costs ten times as much.
 */
function copyPath(path: string, copy: string): void {
  const [from, to] = [join(projectRoot, path), join(copy, path)];
  const found = statSync(from, { throwIfNoEntry: false });
  // A file that was removed and not yet committed, or a plugin without commands.
  if (found === undefined) return;
  mkdirSync(dirname(to), { recursive: true });
  if (found.isDirectory()) {
    cpSync(from, to, { recursive: true, preserveTimestamps: true });
    return;
  }
  copyFileSync(from, to);
  utimesSync(to, found.atime, found.mtime);
}

async function linkLibraries(copy: string): Promise<void> {
  const [from, to] = [join(projectRoot, 'node_modules'), join(copy, 'node_modules')];
  await mkdir(join(to, '@kit-run'), { recursive: true });
  for (const name of await readdir(from))
    if (name !== '@kit-run' && (!name.startsWith('.') || name === '.bin'))
      await symlink(join(from, name), join(to, name));
  for (const name of await readdir(join(copy, 'plugins')))
    await symlink(`../../plugins/${name}`, join(to, '@kit-run', `plugin-${name}`));
}
