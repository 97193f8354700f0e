import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createIntegrityLock } from '../../src/host/integrity-lock.js';
import { fileInside, packageDigest } from '../../src/host/package-files.js';

let folder: string;
let root: string;
beforeEach(async () => {
  const path = await mkdtemp(join(tmpdir(), 'kit-lock-'));
  onTestFinished(() => rm(path, { recursive: true, force: true }));
  folder = path;
  root = join(folder, 'package');
  await mkdir(join(root, 'dist'), { recursive: true });
  await writeFile(join(root, 'package.json'), '{}');
  await writeFile(join(root, 'dist/a.js'), 'a');
});

describe('the digest of a package', () => {
  it.each([
    ['a changed file', () => writeFile(join(root, 'dist/a.js'), 'b')],
    ['a new file', () => writeFile(join(root, 'dist/b.js'), '')],
    ['a renamed file', () => rename(join(root, 'dist/a.js'), join(root, 'dist/b.js'))],
    ['a removed file', () => rm(join(root, 'dist/a.js'))],
    [
      'a file that became a symlink',
      () => rm(join(root, 'dist/a.js')).then(() => symlink('../package.json', join(root, 'dist/a.js'))),
    ],
  ])('changes with %s', async (_name, change) => {
    const before = await packageDigest(root);
    await change();

    expect(await packageDigest(root)).not.toBe(before);
  });

  it('leaves out what was installed beside the package', async () => {
    const before = await packageDigest(root);
    await mkdir(join(root, 'node_modules/x'), { recursive: true });
    await writeFile(join(root, 'node_modules/x/index.js'), 'x');

    expect(await packageDigest(root)).toBe(before);
  });
});

describe('the lock', () => {
  const plugin = (): { readonly name: string; readonly root: string } => ({ name: 'p', root });

  it('refuses everything when it cannot be read', async () => {
    await writeFile(join(folder, 'kit-plugins.lock.json'), '{ half');

    await expect(createIntegrityLock(folder).verify(plugin())).rejects.toMatchObject({ code: 'KIT_PLUGIN_INTEGRITY' });
  });
});

describe('a file of a package', () => {
  it('is found inside and refused outside, by path and by symlink', async () => {
    await writeFile(join(folder, 'evil.js'), '');
    await symlink('../../evil.js', join(root, 'dist/link.js'));

    expect(await fileInside(root, './dist/a.js')).toContain('package/dist/a.js');
    await expect(fileInside(root, '../evil.js')).rejects.toThrow('leads out of its package');
    await expect(fileInside(root, './dist/link.js')).rejects.toThrow('leads out of its package');
    await expect(fileInside(root, './dist/no.js')).rejects.toThrow('does not exist');
  });
});
