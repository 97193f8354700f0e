import { cp, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type KitHome, makeHome, projectRoot, runKitHere } from '../../support/kit-process.js';

let home: KitHome;
let dir: string;

beforeAll(async () => {
  home = await makeHome();
  dir = await mkdtemp(join(tmpdir(), 'kit-folders-'));
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
  await home.remove();
});

test('kit validate names the folder that was meant, and leaves folders of the user alone', async () => {
  await cp(join(projectRoot, 'templates', 'hello'), dir, { recursive: true });
  await rename(join(dir, 'archetypes'), join(dir, 'archetype'));
  await mkdir(join(dir, 'skill'));
  await writeFile(join(dir, 'skill', 'notes.yaml'), 'mine: true\n');

  const { code, stdout } = await runKitHere(['validate'], { cwd: dir, env: home.env });

  expect(code).toBe(1);
  expect(stdout).toContain('nothing reads the folder archetype/, so this file has no effect');
  expect(stdout).toContain('did you mean archetypes/?');
  expect(stdout).not.toContain('notes.yaml');
});
