import { mkdir, mkdtemp, readdir, realpath, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { planWorkspace, writeWorkspace } from '../../../src/app/init/init-workspace.js';
import type { InitDeps } from '../../../src/app/init/plan-extras.js';
import { nodeFiles } from '../../../src/system/files.js';
import { nodeNewFiles } from '../../../src/system/new-files.js';

const deps: InitDeps = {
  files: nodeFiles,
  newFiles: nodeNewFiles,
  packageRoot: process.cwd(),
  machine: async () => ({ environment: {}, families: [], ollamaModels: null, hasOllama: false }),
};
const plan = (directory: string) => planWorkspace({ directory, template: 'hello' }, deps);

let base: string;
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'kit-init-')));
  await mkdir(join(base, 'elsewhere'));
});
afterEach(() => rm(base, { recursive: true, force: true }));

it('refuses a folder of the template that is a link, and writes nothing', async () => {
  await mkdir(join(base, 'new'));
  await symlink(join(base, 'elsewhere'), join(base, 'new/topologies'));

  await expect(plan(join(base, 'new'))).rejects.toMatchObject({
    code: 'KIT_USAGE',
    message: `topologies in ${base}/new is a link to ${base}/elsewhere`,
  });
  expect(await readdir(join(base, 'elsewhere'))).toEqual([]);
});

it('refuses a file that is there as a link to nowhere, before anything is written', async () => {
  await mkdir(join(base, 'new'));
  await symlink(join(base, 'nowhere'), join(base, 'new/workspace.yaml'));

  await expect(plan(join(base, 'new'))).rejects.toMatchObject({
    code: 'KIT_USAGE',
    message: `${base}/new already holds workspace.yaml`,
  });
  expect(await readdir(join(base, 'new'))).toEqual(['workspace.yaml']);
});

it('names the directory that a link leads to', async () => {
  await symlink(join(base, 'elsewhere'), join(base, 'new'));

  const planned = await plan(join(base, 'new'));
  expect(planned.directory).toBe(join(base, 'elsewhere'));
  await writeWorkspace(planned, deps);
  expect(await readdir(join(base, 'elsewhere'))).toContain('workspace.yaml');
});
