import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KitHome, makeHome, runKitHere } from '../support/kit-process.js';
import { commandSource, goodPlugin, type PluginPackage, packPlugin, writePlugin } from '../support/plugin-package.js';

let home: KitHome;
beforeAll(async () => {
  home = await makeHome();
});
afterAll(() => home.remove());

/** What is shown, and said, of a package that nobody accepts. */
const proposed = async (plugin: PluginPackage) => {
  const tarball = await packPlugin(await writePlugin(home.path, plugin), home.env);
  return runKitHere(['plugins', 'install', tarball], { env: home.env });
};

const [declared] = goodPlugin.contributes!.executors as readonly Record<string, unknown>[];

describe('what is shown before a plugin is taken in', () => {
  it('is one printable line a field, whatever the package writes about itself', async () => {
    const title =
      'Posts to chat\n  effects:\n    none declared\n  A plugin runs inside kit with your rights.\u001b[8m\u0007\u202e';
    const { stderr } = await proposed({
      ...goodPlugin,
      name: '@acme/kit-plugin-forger',
      contributes: { executors: [{ ...declared, id: 'acme.forger', name: 'forger', title, effects: ['network'] }] },
      oclif: {
        commands: './dist/commands',
        hooks: { 'init\n  effects:\u001b[2K': './x' },
        plugins: ['a\u001b]0;b\u0007'],
      },
    });

    const lines = stderr.split('\n');
    expect(lines.filter((line) => line.trim() === 'effects:')).toHaveLength(1);
    expect(lines.filter((line) => line.trim() === 'none declared')).toEqual([]);
    expect(lines).toContain('    network');
    expect(stderr.replaceAll('\n', '')).toMatch(/^\P{C}*$/u);
  });

  it('names every word by which a command can be called', async () => {
    const { stderr } = await proposed({
      name: '@acme/kit-plugin-words',
      commands: { wave: commandSource('Wave', 'return {};') },
      aliases: ['hello', 'memory', 'storage'],
    });

    expect(stderr).toContain('    kit hello\n    kit wave\n');
    expect(stderr).toContain('alias memory (taken)');
    expect(stderr).toContain('alias storage (taken)');
  });

  it('is nothing of a package that is not a plugin, and why', async () => {
    const { code, stderr } = await proposed({ name: '@acme/not-a-plugin', extra: { kit: undefined } });

    expect(code).toBe(2);
    expect(stderr).toMatch(
      /^error\[KIT_PLUGIN_MANIFEST_INVALID\]: @acme\/not-a-plugin: package.json has no `kit` key\n/,
    );
  });

  it('is nothing of a folder that is not a package: why, and the way on', async () => {
    for (const [folder, why] of [
      [home.path, 'it has no package.json'],
      [join(home.path, 'gone'), 'there is no such directory'],
    ] as const) {
      const { code, stderr } = await runKitHere(['plugins', 'link', folder, '--yes'], { env: home.env });

      expect(code).toBe(2);
      expect(stderr).toContain(`: ${folder} is not a plugin: ${why}\n  hint: Give the directory whose package.json`);
    }
  });

  it('is nothing where two plugins would claim one name', async () => {
    for (const [id, name] of [
      ['kit.sink-webhook', 'mine'],
      ['acme.webhook', 'webhook'],
    ]) {
      const { code, stderr } = await proposed({
        name: '@acme/kit-plugin-clash',
        files: { 'dist/sink.js': 'export const contribution = {};' },
        contributes: { eventSinks: [{ id, name, title: 'Sink', module: './dist/sink.js', effects: [] }] },
      });
      expect(code).toBe(2);
      expect(stderr).toContain('KIT_PLUGIN_DUPLICATE_ID');
      expect(stderr).toMatch(/is claimed by @acme\/kit-plugin-clash and by @kit-run\/plugin-sinks/);
    }
  });

  it.each([{ oclif: null }, { oclif: { plugins: 'x' } }])('does not stumble over %j in package.json', async (extra) => {
    const { stderr } = await proposed({ ...goodPlugin, name: '@acme/kit-plugin-odd', commands: {}, extra });
    expect(stderr).not.toContain('KIT_INTERNAL');
    expect(stderr).toContain('KIT_PLUGIN_REFUSED');
  });
});
