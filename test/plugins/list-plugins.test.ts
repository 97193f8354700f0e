import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KitHome, makeHome, projectRoot, runKitHere } from '../support/kit-process.js';
import { goodPlugin, writePlugin } from '../support/plugin-package.js';

let home: KitHome;
beforeAll(async () => {
  home = await makeHome();
});
afterAll(() => home.remove());
const kit = (...argv: readonly string[]) => runKitHere(['plugins', ...argv], { env: home.env });

describe('kit plugins list', () => {
  it('shows what is linked before what is bundled, with what it brings and what is wrong; alone it lists too', async () => {
    const root = await writePlugin(home.path, goodPlugin);
    const bad = await writePlugin(home.path, { ...goodPlugin, name: '@acme/kit-plugin-stale', aliases: ['plugins'] });
    expect((await kit('link', root, '--yes')).code).toBe(0);
    const [listed, bare, json] = [await kit('list'), await kit(), await kit('list', '--json')];

    expect(listed.code).toBe(0);
    expect(listed.stdout.split('\n')[0]).toMatch(
      /^@acme\/kit-plugin-echo 1\.0\.0 +linked +executors echo; commands greet$/,
    );
    expect(listed.stdout).toMatch(/\n@kit-run\/plugin-sinks \S+ +bundled +eventSinks .*webhook/);
    expect(bare.stdout).toBe(listed.stdout);
    expect(json.lines()).toMatchObject([
      {
        type: 'result',
        plugins: expect.arrayContaining([expect.objectContaining({ origin: 'linked', version: '1.0.0' })]),
      },
    ]);

    const refused = await kit('link', bad, '--yes');
    expect(refused.stderr).toContain('KIT_PLUGIN_DUPLICATE_ID');
  });

  it('says of a stale manifest what fixes it', async () => {
    const root = await writePlugin(home.path, {
      ...goodPlugin,
      name: '@acme/kit-plugin-old',
      extra: { version: '2.0.0' },
    });
    const { code, stderr } = await kit('link', root, '--yes');

    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('its oclif.manifest.json is of version 1.0.0, not 2.0.0'),
    ]);
    expect(stderr).toMatch(/hint: .*kit plugins check DIRECTORY --write-manifest/);
  });

  it('is told every point by the help of `new`', async () => {
    const { readFileSync } = await import('node:fs');
    const manifest = JSON.parse(readFileSync(join(projectRoot, 'plugins/plugins/oclif.manifest.json'), 'utf8'));
    const { description } = manifest.commands['plugins:new'].args.point;
    for (const point of readdirSync(join(projectRoot, 'templates/plugins'))) expect(description).toContain(point);
  });
});
