import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { projectRoot } from '../support/kit-process.js';

/**
 * Programs that are started once for each harness, or for each of its calls: everybody waits for
 * them. One file of CommonJS needs none of what Node loads for modules; every builtin that it asks
 * for costs a millisecond or so, and is named here.
 */
const SMALL = [
  {
    file: 'dist/system/processes/supervisor.cjs',
    kB: 10,
    builtins: ['node:child_process', 'node:fs', 'node:net'],
  },
  { file: 'plugins/harness/dist/hook/hook-process.cjs', kB: 4, builtins: ['node:fs', 'node:net'] },
] as const;

it.each(SMALL)('$file is one small file that loads nothing but builtins', async ({ file, kB, builtins }) => {
  const path = join(projectRoot, file);
  const text = await readFile(path, 'utf8');
  const required = [...text.matchAll(/\brequire\(["'`]([^"'`]+)["'`]\)/g)].map(([, name]) => name);

  expect([...new Set(required)].sort()).toEqual(builtins);
  expect(text).not.toMatch(/^(?:import|export)\b/m);
  expect((await stat(path)).size).toBeLessThanOrEqual(kB * 1024);
});
