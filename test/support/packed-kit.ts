import { execFile } from 'node:child_process';
import { copyFile, mkdir, readFile, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { projectRoot } from './kit-process.js';
import { npmCli } from './plugin-package.js';

/** What `npm pack` puts into the tarball. */
export interface PackedKit {
  /** Of the tarball. */
  readonly packedBytes: number;
  readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** The keys of package.json that say what is installed beside kit. */
export interface Dependencies {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta: Readonly<Record<string, { readonly optional?: boolean }>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly scripts: Readonly<Record<string, string>>;
}

export const readDependencies = async (): Promise<Dependencies> =>
  JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8'));

/** Asks npm what it would pack; writes nothing. */
export async function packedKit(): Promise<PackedKit> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [npmCli(), 'pack', '--dry-run', '--json', '--ignore-scripts'],
    { cwd: projectRoot, maxBuffer: 64 * 1024 * 1024 },
  );
  const answer: unknown = JSON.parse(stdout);
  const [packed] = Array.isArray(answer) ? answer : Object.values(answer as object);
  return { packedBytes: packed.size, files: packed.files };
}

/** kit as npm lays it out, without an installation. */
export interface LaidOutKit {
  readonly program: string;
  /** Makes one more package of this checkout be found. */
  link(name: string): Promise<void>;
}

/**
 * Copies what is packed below `folder` and links the packages that npm installs with
 * kit: none that is optional, none for development, and no other that lies about.
 */
export async function layOutKit(folder: string): Promise<LaidOutKit> {
  const [{ files }, { dependencies }] = await Promise.all([packedKit(), readDependencies()]);
  const root = join(folder, 'node_modules', '@kit-run', 'kit');
  await Promise.all(
    [...new Set(files.map(({ path }) => dirname(join(root, path))))].map((one) => mkdir(one, { recursive: true })),
  );
  await Promise.all(files.map(({ path }) => copyFile(join(projectRoot, path), join(root, path))));
  const link = async (name: string): Promise<void> => {
    const place = join(root, 'node_modules', name);
    await mkdir(dirname(place), { recursive: true });
    await symlink(join(projectRoot, 'node_modules', name), place, 'junction');
  };
  await Promise.all(Object.keys(dependencies).map(link));
  return { program: join(root, 'bin', 'kit.js'), link };
}
