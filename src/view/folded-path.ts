/** Written by package managers: nobody reads them line by line. */
const LOCK_FILES: ReadonlySet<string> = new Set([
  'package-lock.json',
  'npm-shrinkwrap.json',
  'yarn.lock',
  'pnpm-lock.yaml',
  'bun.lock',
  'bun.lockb',
  'deno.lock',
  'cargo.lock',
  'poetry.lock',
  'uv.lock',
  'pdm.lock',
  'pipfile.lock',
  'gemfile.lock',
  'composer.lock',
  'go.sum',
  'flake.lock',
  'mix.lock',
  'pubspec.lock',
  'packages.lock.json',
  '.terraform.lock.hcl',
]);

/** Folders whose files a program writes. */
const FOLDERS: ReadonlySet<string> = new Set([
  'dist',
  'build',
  'vendor',
  'node_modules',
  'generated',
  '__generated__',
  '__snapshots__',
  'third_party',
]);

const ENDINGS = ['.min.js', '.min.css', '.map', '.snap', '.pb.go', '_pb2.py', '.pb.ts', '.g.dart', '.designer.cs'];

/**
 * Why the file of a diff is folded at first; null: it is shown. By its path alone: what stands in a
 * file is the word of whoever wrote it.
 */
export function whyFolded(path: string): 'lock file' | 'generated' | null {
  const parts = path.toLowerCase().split('/');
  const name = parts.at(-1) ?? '';
  if (LOCK_FILES.has(name)) return 'lock file';
  const isGenerated =
    parts.slice(0, -1).some((part) => FOLDERS.has(part)) ||
    ENDINGS.some((ending) => name.endsWith(ending)) ||
    name.includes('.generated.');
  return isGenerated ? 'generated' : null;
}
