import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeReader, type Reader, shellLines } from './reader.js';

let reader: Reader;
beforeAll(async () => {
  reader = await makeReader();
});
afterAll(() => reader?.dispose());

it('a copy that SQLite makes beside a run is a store that goes on', { timeout: 120_000 }, async () => {
  const shell = { cwd: join(reader.world.base, 'work'), run: '' };
  mkdirSync(shell.cwd);
  const type = async (line: string) => {
    const { code, output } = await reader.type(shell, line);
    expect([line, code, output]).toEqual([line, 0, expect.any(String)]);
    return output;
  };
  await type('kit init shop --yes && cd shop');
  await type('kit run hello --input Ada --quiet');

  for (const line of shellLines('docs/how-to/back-up-and-restore.md', 'mkdir -p')) await type(line);
  await type('kit run hello --input Grace --quiet');
  rmSync(join(shell.cwd, '.kit'), { recursive: true });
  await type('cp -a ../copy .kit');

  expect(existsSync(join(shell.cwd, '.kit', 'blobs'))).toBe(true);
  const { runs } = JSON.parse((await type('kit status --json')).trim());
  expect(runs.map(({ input }: { readonly input: string }) => input)).toEqual(['Ada']);
  await type('kit run hello --input Ada --quiet');
});
