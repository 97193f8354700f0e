import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { projectRoot } from '../support/kit-process.js';

const MAP = pathToFileURL(join(projectRoot, 'dist/boot/module-map.js')).href;

/** What `package.json` opens but itself and the texts, of which each file is an export. */
async function packageExports(): Promise<readonly string[]> {
  const { exports } = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, unknown>>;
  };
  return Object.keys(exports).filter((name) => !/\*|\.json$/.test(name));
}

it('gives a module of anywhere each export that the package opens', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kit-exports-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const specifiers = (await packageExports()).map((name) => `@kit-run/kit${name.slice(1)}`);
  const asked = specifiers.map((name) => `'${name}': Object.keys(await import('${name}')).length > 0`);
  await writeFile(join(folder, 'plugin.mjs'), `export const found = { ${asked.join(', ')} };`);
  await writeFile(
    join(folder, 'start.mjs'),
    `import { mapKitModules } from '${MAP}';
    mapKitModules(${JSON.stringify(projectRoot)});
    console.log(JSON.stringify((await import('./plugin.mjs')).found));`,
  );

  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'start.mjs')], { cwd: folder });

  expect(JSON.parse(stdout)).toEqual(Object.fromEntries(specifiers.map((name) => [name, true])));
  expect(specifiers).toContain('@kit-run/kit/wire');
});
