import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type KitHome, makeHome, runKitHere } from '../support/kit-process.js';
import { goodPlugin, writePlugin } from '../support/plugin-package.js';

let home: KitHome;
beforeAll(async () => {
  home = await makeHome();
});
afterAll(() => home.remove());

it('an update of a linked plugin whose folder is gone says so, and how to end the link', async () => {
  const folder = await writePlugin(home.path, { ...goodPlugin, name: '@acme/kit-plugin-away' });
  const linked = await runKitHere(['plugins', 'link', folder, '--yes'], { env: home.env });
  await rm(folder, { recursive: true });

  const { code, stderr } = await runKitHere(['plugins', 'update', '@acme/kit-plugin-away', '--yes'], { env: home.env });

  expect(linked.code, linked.stderr).toBe(0);
  expect(code).toBe(2);
  expect(stderr).toContain(
    `error[KIT_PLUGIN_LOAD_FAILED]: @acme/kit-plugin-away is linked, and ${folder} is not a plugin: there is no such directory\n` +
      '  hint: Put the folder back, or end the link: kit plugins uninstall @acme/kit-plugin-away\n',
  );
});

it('a plugin in TypeScript that was never built is told to be built, and its tests are not run', async () => {
  const folder = join(home.path, 'mine');
  await runKitHere(['plugins', 'new', 'executors', folder, '--typescript'], { env: home.env });

  const { code, stdout } = await runKitHere(['plugins', 'check', folder, '--test'], { env: home.env });

  expect(code).toBe(1);
  expect(stdout).toContain('Build it first: npm run build.');
  expect(stdout).not.toMatch(/^\s+at /m);
  expect(stdout).toMatch(/tests: test.*its files have to be there first/);
});
