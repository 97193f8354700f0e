import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KitHome, makeHome, runKitHere } from '../support/kit-process.js';

let home: KitHome;
let dir: string;
beforeAll(async () => {
  home = await makeHome();
  dir = await mkdtemp(join(tmpdir(), 'kit-first-steps-'));
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
  await home.remove();
});

it('are named by `kit --help` before the list of commands, and each of them works where it is pasted', async () => {
  const here = { cwd: dir, env: { ...home.env, COLUMNS: '80' } };
  const { stdout } = await runKitHere(['--help'], here);

  const lines = stdout.split('\n');
  const begin = lines.indexOf('FIRST STEPS');
  expect(begin).toBeGreaterThan(0);
  expect(begin).toBeLessThan(lines.indexOf('TOPICS'));
  const steps = lines.slice(begin + 1, begin + 4).map((line) => line.trim().split(/ {2,}/)[0]);
  expect(steps).toEqual(['kit init --template hello', 'kit docs first topology', 'kit COMMAND --help']);

  const docs = await runKitHere(['docs', 'first', 'topology'], here);
  expect(docs.stdout).toMatch(/^tutorials\/first-topology: /);
  const made = await runKitHere(['init', 'demo', '--template', 'hello', '--yes'], here);
  expect(made.code).toBe(0);
  expect(await readdir(join(dir, 'demo'))).toContain('workspace.yaml');
});
