import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { projectRoot } from '../support/kit-process.js';

const MAP = pathToFileURL(join(projectRoot, 'dist/boot/module-map.js')).href;

/** What `package.json` opens but itself and the texts, of which each file is a door. */
async function openedDoors(): Promise<readonly string[]> {
  const { exports } = JSON.parse(await readFile(join(projectRoot, 'package.json'), 'utf8')) as {
    readonly exports: Readonly<Record<string, unknown>>;
  };
  return Object.keys(exports).filter((door) => !/\*|\.json$/.test(door));
}

it('gives a module of anywhere each door that the package opens', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'kit-doors-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const doors = (await openedDoors()).map((door) => `@kit-run/kit${door.slice(1)}`);
  const asked = doors.map((door) => `'${door}': Object.keys(await import('${door}')).length > 0`);
  await writeFile(join(folder, 'plugin.mjs'), `export const found = { ${asked.join(', ')} };`);
  await writeFile(
    join(folder, 'start.mjs'),
    `import { mapKitModules } from '${MAP}';
    mapKitModules(${JSON.stringify(projectRoot)});
    console.log(JSON.stringify((await import('./plugin.mjs')).found));`,
  );

  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, 'start.mjs')], { cwd: folder });

  expect(JSON.parse(stdout)).toEqual(Object.fromEntries(doors.map((door) => [door, true])));
  expect(doors).toContain('@kit-run/kit/wire');
});
