import { mkdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { idleWorkspace } from '../support/http/idle-workspace.js';
import { type KitHome, makeHome, runKitHere } from '../support/kit-process.js';

let home: KitHome;
let workspace: string;
beforeAll(async () => {
  home = await makeHome();
  workspace = await mkdtemp(join(tmpdir(), 'kit-words-'));
  for (const [path, text] of Object.entries(idleWorkspace({ files: {} }))) {
    mkdirSync(dirname(join(workspace, path)), { recursive: true });
    await writeFile(join(workspace, path), text);
  }
});
afterAll(async () => {
  await rm(workspace, { recursive: true, force: true });
  await home.remove();
});

const kit = (argv: readonly string[]) => runKitHere(argv, { env: home.env, cwd: workspace });

it('a topology alone is enough inside its workspace', async () => {
  const said = await kit(['chat', 'idle', '--input', 'hi']);

  expect([said.code, said.stderr.includes('name a topology')], said.stderr).toEqual([0, false]);
});

it.each([[['-h']], [['run', '-h']]])('%j shows help', async (argv) => {
  const help = await kit(argv);

  expect([help.code, help.stdout.includes('USAGE')]).toEqual([0, true]);
});

it.each([['version'], ['--version']])('kit %s tells the version', async (word) => {
  const reported = await kit([word]);

  expect([reported.code, reported.stdout.startsWith('@kit-run/kit/')], reported.stderr).toEqual([0, true]);
});
