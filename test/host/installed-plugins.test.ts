import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KitHome, type KitResult, makeHome, projectRoot, runKit, runKitHere } from '../support/kit-process.js';
import { commandSource, goodPlugin, type PluginPackage, packPlugin, writePlugin } from '../support/plugin-package.js';

let home: KitHome;
beforeAll(async () => {
  home = await makeHome();
});
afterAll(() => home.remove());

/** A command of a plugin: its files change from one call to the next, so each has a process. */
const kit = (argv: readonly string[]): Promise<KitResult> => runKit(argv, { env: home.env });
const manage = (argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<KitResult> =>
  runKitHere(['plugins', ...argv], { env: { ...home.env, ...env } });

async function install(plugin: PluginPackage, ...flags: readonly string[]): Promise<KitResult> {
  const tarball = await packPlugin(await writePlugin(home.path, plugin), home.env);
  return manage(['install', tarball, '--json', ...flags]);
}

const reportOf = async (name: string): Promise<Record<string, unknown>> => {
  const [line] = (await manage(['inspect', name, '--json'])).lines();
  const { plugins } = line as { plugins: Record<string, unknown>[] };
  return plugins[0]!;
};

/** What the executor of that name answers in a process that asks the built host. */
async function resolveExecutor(name: string): Promise<unknown> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(projectRoot, 'test/support/executor-process.mjs'), name],
    { env: home.env },
  );
  return JSON.parse(stdout);
}

describe('a packed plugin, with no registry reachable', () => {
  it('is refused without a terminal and without --yes, and nothing is installed', async () => {
    const result = await install(goodPlugin);

    expect(result.lines()).toMatchObject([{ type: 'error', code: 'KIT_PLUGIN_REFUSED', exit: 2 }]);
    expect(result.code).toBe(2);
    expect(result.stderr).toContain('subprocess');
    expect(result.stderr).toContain('kit greet');
    expect(existsSync(join(home.dataDir, 'node_modules'))).toBe(false);
  });

  it('adds its command and its executor', async () => {
    const installed = await install(goodPlugin, '--yes');
    const greeting = await kit(['greet', 'you', '--json']);
    const report = await reportOf(goodPlugin.name);

    expect(installed.lines()).toMatchObject([
      { type: 'result', state: 'accepted', effects: ['subprocess'], commands: ['greet'] },
    ]);
    expect(greeting.lines()).toMatchObject([{ type: 'result', greeted: ['you'] }]);
    expect(report).toMatchObject({
      origin: 'user',
      state: 'registered',
      commands: ['greet'],
      contributions: [{ id: 'acme.echo', point: 'executors' }],
    });
  });

  it('has its executor resolved by the host that runs it, from outside the checkout', async () => {
    expect(await resolveExecutor('echo')).toEqual({
      answer: expect.objectContaining({ status: 'success', output: { said: 'hi', prefix: 'p' } }),
      state: 'disposed',
    });
  });

  it('shows the difference on update and installs the new files', async () => {
    const [declared] = goodPlugin.contributes!.executors as readonly Record<string, unknown>[];
    const next = {
      ...goodPlugin,
      version: '1.1.0',
      contributes: { executors: [{ ...declared, effects: ['network', 'subprocess'] }] },
      commands: { ...goodPlugin.commands, wave: commandSource('Wave', 'return { waved: argv };') },
    };

    const updated = await install(next, '--yes');

    expect(updated.lines()).toMatchObject([{ state: 'accepted', version: '1.1.0' }]);
    expect(updated.stderr).toContain('1.0.0 -> 1.1.0');
    expect(updated.stderr).toContain('+ network (effect)');
    expect(updated.stderr).toContain('+ wave (command)');
    expect((await kit(['wave'])).code).toBe(0);
    expect((await manage(['update', goodPlugin.name, '--json'])).lines()).toMatchObject([
      { plugins: [{ state: 'unchanged' }] },
    ]);
  });

  it('is not run once its files differ from those that were accepted', async () => {
    await appendFile(
      join(home.dataDir, 'node_modules', goodPlugin.name, 'dist/commands/greet.js'),
      '\nprocess.stdout.write("EDITED");\n',
    );

    const result = await kit(['greet', '--json']);

    expect(result.code).toBe(2);
    expect(result.lines()).toMatchObject([{ type: 'error', code: 'KIT_PLUGIN_INTEGRITY' }]);
    expect(await resolveExecutor('echo')).toEqual({ answer: { code: 'KIT_PLUGIN_INTEGRITY' }, state: 'failed' });
  });

  it('is neither installed nor removed without an npm on PATH, and nothing changes', async () => {
    const tarball = await packPlugin(await writePlugin(home.path, goodPlugin), home.env);
    const lock = () => readFile(join(home.dataDir, 'kit-plugins.lock.json'), 'utf8');
    const before = await lock();

    const refused = await Promise.all([
      manage(['install', tarball, '--json', '--yes'], { PATH: home.path }),
      manage(['uninstall', goodPlugin.name, '--json'], { PATH: home.path }),
    ]);

    expect(refused.map(({ lines }) => lines()[0])).toMatchObject(
      ['install', 'uninstall'].map((verb) => ({
        type: 'error',
        code: 'KIT_PLUGIN_INSTALL_FAILED',
        message: `${verb} needs npm, which is not on PATH`,
        hint: expect.stringContaining('Install npm'),
      })),
    );
    expect(await lock()).toBe(before);
    expect(existsSync(join(home.dataDir, 'node_modules', goodPlugin.name))).toBe(true);
  });

  it('is gone after uninstall', async () => {
    const removed = await manage(['uninstall', goodPlugin.name, '--json']);

    expect(removed.lines()).toMatchObject([{ type: 'result', state: 'removed' }]);
    expect((await kit(['greet'])).code).toBe(2);
    expect(await readFile(join(home.dataDir, 'kit-plugins.lock.json'), 'utf8')).not.toContain(goodPlugin.name);
  });
});

describe('a plugin that is broken or hostile', () => {
  it('with a broken import fails alone and by name', async () => {
    const name = '@acme/kit-plugin-broken';
    await install(
      { name, commands: { broken: "import 'no-such-module';\nexport class Broken { static run() {} }\n" } },
      '--yes',
    );

    const broken = await kit(['broken', '--json']);
    const other = await manage(['inspect', '--json']);

    expect(broken.lines()).toMatchObject([
      { type: 'error', code: 'KIT_PLUGIN_LOAD_FAILED', message: expect.stringContaining(name) },
    ]);
    expect(broken.code).toBe(2);
    expect(other.code).toBe(0);
  });

  it('made for another plugin API is refused with both versions', async () => {
    const result = await install(
      { name: '@acme/kit-plugin-future', api: '^99.0.0', commands: { future: commandSource('Future', '') } },
      '--yes',
    );

    expect(result.code).toBe(2);
    expect(result.lines()).toMatchObject([
      { code: 'KIT_PLUGIN_API_MISMATCH', message: expect.stringMatching(/99\.0\.0.*1\.0\.0/) },
    ]);
  });

  it('gets none of its hooks: another command keeps its arguments', async () => {
    const marker = join(home.path, 'hook-ran');
    const hook = `import { writeFileSync } from 'node:fs';
      export const hook = async (options) => { writeFileSync(${JSON.stringify(marker)}, ''); options.argv.splice(0); };
      export default hook;`;
    const name = '@acme/kit-plugin-hook';
    await install(
      {
        name,
        files: { 'dist/hook.js': hook },
        oclif: { hooks: { init: './dist/hook.js', prerun: './dist/hook.js', preparse: './dist/hook.js' } },
      },
      '--yes',
    );

    const result = await manage(['inspect', name, '--json']);

    expect(result.lines()).toMatchObject([
      { plugins: [{ name, dropped: expect.arrayContaining(['hook init', 'hook prerun', 'hook preparse']) }] },
    ]);
    expect(existsSync(marker)).toBe(false);
  });

  it('never runs a lifecycle script, not even when the user environment allows them', async () => {
    const marker = join(home.path, 'script-ran');
    const write = `node -e "require('fs').writeFileSync('${marker}', '')"`;
    const tarball = await packPlugin(
      await writePlugin(home.path, {
        name: '@acme/kit-plugin-script',
        extra: { scripts: { preinstall: write, install: write, postinstall: write } },
      }),
      home.env,
    );

    const result = await manage(['install', tarball, '--yes', '--json'], {
      npm_config_ignore_scripts: 'false',
      NPM_CONFIG_IGNORE_SCRIPTS: 'false',
    });

    expect(result.lines()).toMatchObject([
      { state: 'accepted', dropped: expect.arrayContaining(['script postinstall']) },
    ]);
    expect(existsSync(marker)).toBe(false);
  });

  it('cannot take a bundled command, an alias of it, or a word below it', async () => {
    const name = '@acme/kit-plugin-shadow';
    const source = commandSource('Shadow', "process.stdout.write('SHADOW'); return { shadow: true };");
    await install(
      {
        name,
        commands: { 'plugins:inspect': source, 'plugins:inspect:deep': source, shadow: source },
        aliases: ['plugins install', 'plugins', 'shade'],
      },
      '--yes',
    );

    const bundled = await kit(['plugins', 'inspect', name, '--json']);

    expect(bundled.stdout).not.toContain('SHADOW');
    expect(bundled.lines()).toMatchObject([
      {
        plugins: [
          {
            commands: ['shadow'],
            dropped: [
              'command plugins inspect (taken)',
              'command plugins inspect deep (taken)',
              'alias plugins install (taken)',
              'alias plugins (taken)',
            ],
          },
        ],
      },
    ]);
    expect((await kit(['shade'])).stdout).toContain('SHADOW');
  });

  it('whose module lies outside its package is refused, by path and by symlink', async () => {
    const outside = (module: string): PluginPackage => ({
      name: '@acme/kit-plugin-outside',
      contributes: { executors: [{ id: 'acme.outside', name: 'outside', title: 'Outside', module, effects: [] }] },
    });
    await writeFile(join(home.path, 'evil.js'), 'throw new Error("imported")');

    const byPath = await install(outside('./../evil.js'), '--yes');
    const linked = await writePlugin(home.path, outside('./evil.js'));
    await symlink('../evil.js', join(linked, 'evil.js'));
    const bySymlink = await manage(['link', linked, '--yes', '--json']);

    expect(byPath.lines()).toMatchObject([{ code: 'KIT_PLUGIN_MANIFEST_INVALID', exit: 2 }]);
    expect(bySymlink.lines()).toMatchObject([
      { code: 'KIT_PLUGIN_LOAD_FAILED', message: expect.stringContaining('leads out of its package') },
    ]);
  });

  it('with commands but no oclif manifest is refused', async () => {
    const result = await install(
      { name: '@acme/kit-plugin-bare', commands: { bare: commandSource('Bare', '') }, hasManifest: false },
      '--yes',
    );

    expect(result.lines()).toMatchObject([
      { code: 'KIT_PLUGIN_MANIFEST_INVALID', message: expect.stringContaining('oclif.manifest.json') },
    ]);
  });

  it('that is only listed but unusable is one warning, and the command goes on', async () => {
    const path = join(home.dataDir, 'package.json');
    const pjson = JSON.parse(await readFile(path, 'utf8'));
    const gone = { name: 'gone', root: join(home.path, 'gone'), type: 'link' };
    await writeFile(
      path,
      JSON.stringify({ ...pjson, oclif: { ...pjson.oclif, plugins: [...pjson.oclif.plugins, gone] } }),
    );

    const result = await kit(['--version']);

    expect(result.code).toBe(0);
    expect(result.stderr).toMatch(/^.* its directory \S+ is gone; `kit plugins uninstall gone` ends this\n$/);
  });
});

describe('a plugin that imports oclif alone', () => {
  it('gets the oclif of the running kit, though none is installed beside it', async () => {
    const source =
      "import { Command } from '@oclif/core';\nexport class Plain extends Command { async run() { await this.parse(Plain); this.log('plain ' + typeof this.config.options.kit); } }\n";
    await install({ name: '@acme/kit-plugin-plain', commands: { plain: source } }, '--yes');

    expect(await kit(['plain'])).toMatchObject({ code: 0, stdout: 'plain function\n' });
  });

  it('draws with the React and the Ink of kit where it has none', async () => {
    const source = `import { Command } from '@oclif/core';
      import { createElement } from 'react';
      import { renderToString, Text } from 'ink';
      export class Drawn extends Command {
        async run() { this.log(renderToString(createElement(Text, null, 'drawn'))); }
      }`;
    await install({ name: '@acme/kit-plugin-drawn', commands: { drawn: source } }, '--yes');

    expect(await kit(['drawn'])).toMatchObject({ code: 0, stdout: 'drawn\n' });
  });
});

describe('a linked plugin', () => {
  it('runs from its directory as it is at each start, and from no other', async () => {
    const root = await writePlugin(home.path, {
      name: '@acme/kit-plugin-linked',
      commands: { linked: commandSource('Linked', 'return { round: 1 };') },
    });

    const linked = await manage(['link', root, '--yes', '--json']);
    const first = await kit(['linked', '--json']);
    await writeFile(join(root, 'dist/commands/linked.js'), commandSource('Linked', 'return { round: 2 };'));
    const changed = await kit(['linked', '--json']);
    const again = await manage(['link', root, '--yes', '--json']);
    await rename(root, `${root}-moved`);
    await symlink(`${root}-moved`, root);
    const moved = await kit(['linked', '--json']);

    expect(linked.lines()).toMatchObject([{ state: 'accepted' }]);
    expect(first.lines()).toMatchObject([{ round: 1 }]);
    expect(changed.lines()).toMatchObject([{ round: 2 }]);
    expect(again.lines()).toMatchObject([{ state: 'accepted' }]);
    expect(moved.lines()).toMatchObject([{ code: 'KIT_PLUGIN_INTEGRITY' }]);
  });
});
