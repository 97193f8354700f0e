import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '../support/kit-process.js';

const read = async (file: string) => JSON.parse(await readFile(join(projectRoot, file), 'utf8'));

interface Locked {
  readonly hasInstallScript?: true;
  /** It is installed on some machines alone. */
  readonly optional?: true;
}

it('whether each install script of a dependency runs is decided: `npm ci` warns of one that nobody judged', async () => {
  const { packages } = (await read('package-lock.json')) as { readonly packages: Readonly<Record<string, Locked>> };
  const { allowScripts } = (await read('package.json')) as { readonly allowScripts: object };
  const scripted = Object.entries(packages).flatMap(([path, { hasInstallScript, optional }]) =>
    hasInstallScript === true && optional !== true ? [path.replace(/^.*node_modules\//, '')] : [],
  );
  expect(scripted).toContain('better-sqlite3');
  expect(
    scripted.filter((name) => !Object.hasOwn(allowScripts, name)),
    'name them in `allowScripts` of package.json, with false where the package works without its script',
  ).toEqual([]);
});
