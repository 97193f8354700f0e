import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openWorkspaceFiles, readSources } from '../../src/app/workspace-files.js';
import { nodeFiles } from '../../src/system/files.js';

it('reads of what lies beside the workspace file no more than is wanted', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'kit-files-'));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  for (const name of ['workspace.yaml', 'talk.yaml', 'compose.yml', 'notes.txt'])
    await writeFile(join(directory, name), `name: ${name}\n`);
  const place = await openWorkspaceFiles(directory, nodeFiles);
  const pathsOf = async (isWanted: (path: string) => boolean): Promise<readonly string[]> =>
    (await readSources(place, isWanted)).map(({ path }) => path).toSorted();

  expect(await pathsOf(() => false)).toEqual(['workspace.yaml']);
  expect(await pathsOf((path) => path !== 'compose.yml')).toEqual(['talk.yaml', 'workspace.yaml']);
  expect(await pathsOf(() => true)).toEqual(['compose.yml', 'talk.yaml', 'workspace.yaml']);
});
