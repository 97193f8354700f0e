import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PluginCheckReport } from '../../../src/domain/ports/plugin-authoring.js';
import { type KitHome, type KitResult, makeHome, projectRoot, runKitHere } from '../../support/kit-process.js';
import { commandSource, type PluginPackage, writePlugin } from '../../support/plugin-package.js';

let home: KitHome;
beforeAll(async () => {
  home = await makeHome();
});
afterAll(() => home.remove());

const check = (directory: string, ...flags: readonly string[]): Promise<KitResult> =>
  runKitHere(['plugins', 'check', directory, ...flags], {
    env: { ...home.env, ANTHROPIC_API_KEY: 'sk-user-secret' },
    cwd: home.path,
  });

const reportOf = (result: KitResult): PluginCheckReport => result.lines().at(-1) as unknown as PluginCheckReport;
const failures = (result: KitResult): readonly string[] =>
  reportOf(result)
    .checks.filter(({ state }) => state === 'failed')
    .map(({ check: name, where, message }) => `${name} ${where}: ${message}`);

const DECLARED = { id: 'acme.x', name: 'x', title: 'X', module: './dist/x.js', effects: [] };
const GOOD = `
import { defineExecutor } from '@kit-run/kit/plugin';
export const contribution = defineExecutor({ create: () => ({ run: async () => ({
  status: 'success', reason: null, message: '', output: null, usage: null, exitCode: null, signal: null, stderrTail: '' }) }) });
`;

let count = 0;
const write = (plugin: Partial<PluginPackage>): Promise<string> =>
  writePlugin(join(home.path, String(count++)), {
    name: '@acme/kit-plugin-x',
    contributes: { executors: [DECLARED] },
    files: { 'dist/x.js': GOOD },
    ...plugin,
  });

const source = (text: string): Partial<PluginPackage> => ({ files: { 'dist/x.js': `${text}\n${GOOD}` } });
const contribution = (more: object): Partial<PluginPackage> => ({
  contributes: { executors: [{ ...DECLARED, ...more }] },
});

describe('a plugin that is fine', () => {
  it('is reported with everything that was checked, and exits with 0', async () => {
    const result = await check(await write({}), '--json');

    const { ok, name, checks } = reportOf(result);
    expect([result.code, ok, name]).toEqual([0, true, '@acme/kit-plugin-x']);
    expect(new Set(checks.map(({ check: one }) => one))).toEqual(
      new Set(['manifest', 'api', 'file', 'schema', 'published', 'module', 'create', 'contract']),
    );
    expect(checks.find(({ check: one }) => one === 'module')?.ms).toBeGreaterThanOrEqual(0);
  });

  it('is told in words: what was loaded, how long it took, and the sum', async () => {
    const result = await check(await write({}));

    expect(result.stdout).toMatch(/^ok {3}module: \.\/dist\/x\.js \(\d+ ms\)$/m);
    expect(result.stdout).toMatch(
      /@acme\/kit-plugin-x 1\.0\.0: fine \(\d+ held, 0 failed, \d+ with nothing to check\)/,
    );
  });

  it.each(['governance', 'models', 'harness', 'plugins'])('is our own plugins/%s', async (name) => {
    const result = await check(join(projectRoot, 'plugins', name), '--json');

    expect(failures(result)).toEqual([]);
    expect(result.code).toBe(0);
  });
});

describe('a folder that is not a plugin', () => {
  it.each<readonly [string, Readonly<Record<string, string>> | undefined]>([
    ['is not there', undefined],
    ['has no package.json', {}],
    ['has a package.json that is not JSON', { 'package.json': '{' }],
    ['has a package.json without a name', { 'package.json': '{"kit":{}}' }],
    ['has no kit key', { 'package.json': '{"name":"x","version":"1.0.0"}' }],
  ])('%s: exit 2 with the way on, and nothing is written', async (_name, files) => {
    const folder = join(home.path, `none-${count++}`);
    if (files !== undefined) await mkdir(folder);
    for (const [file, text] of Object.entries(files ?? {})) await writeFile(join(folder, file), text);

    const result = await check(folder, '--json', '--write-manifest');

    expect(result.lines()).toMatchObject([
      {
        type: 'error',
        code: 'KIT_USAGE',
        exit: 2,
        message: expect.stringContaining('is not a plugin'),
        hint: expect.stringContaining('kit plugins new'),
      },
    ]);
    expect(result.code).toBe(2);
    expect(existsSync(folder) ? await readdir(folder) : []).toEqual(Object.keys(files ?? {}));
  });
});

describe('what can be read without running anything', () => {
  it.each<readonly [string, Partial<PluginPackage>, RegExp]>([
    [
      'a manifest with an unknown key',
      contribution({ colour: 'red' }),
      /^manifest package\.json: .*unknown key "colour"/,
    ],
    ['an API range of another major', { api: '^2.0.0' }, /^api \^2\.0\.0: .*made for plugin API/],
    [
      'a point that nothing uses yet',
      { contributes: { diagnosticRules: [DECLARED] } },
      /^api .*diagnosticRules.*does not use yet/,
    ],
    ['a module that is missing', contribution({ module: './dist/no.js' }), /^file \.\/dist\/no\.js: .*does not exist/],
    [
      'the same id twice',
      { contributes: { executors: [DECLARED, { ...DECLARED, name: 'y' }] } },
      /^ids executors\/acme\.x: the plugin claims it twice/,
    ],
    [
      'the name of a bundled contribution',
      contribution({ name: 'harness' }),
      /^ids executors\/harness: it belongs to a bundled plugin/,
    ],
    ['the name of a bundled package', { name: '@kit-run/plugin-models' }, /^package @kit-run\/plugin-models: /],
    [
      'a config schema that is none',
      {
        ...contribution({ configSchema: './schemas/x.json' }),
        files: { 'dist/x.js': GOOD, 'schemas/x.json': '{"type":"objekt"}' },
      },
      /^schema \.\/schemas\/x\.json: /,
    ],
    [
      'a module that npm pack leaves out',
      { extra: { files: ['/schemas'] } },
      /^published \.\/dist\/x\.js: `npm pack` leaves it out/,
    ],
    [
      'a governance provider that accepts any key',
      {
        contributes: { governanceProviders: [{ ...DECLARED, configSchema: './schemas/x.json' }] },
        files: { 'dist/x.js': GOOD, 'schemas/x.json': '{"type":"object"}' },
      },
      /^schema \.\/schemas\/x\.json: it accepts unknown keys/,
    ],
    [
      'a credential source that refuses {}',
      {
        contributes: { credentialSources: [{ ...DECLARED, configSchema: './schemas/x.json' }] },
        files: { 'dist/x.js': GOOD, 'schemas/x.json': '{"type":"object","required":["url"]}' },
      },
      /^schema \.\/schemas\/x\.json: it refuses \{\}/,
    ],
    [
      'a command of a bundled plugin',
      { commands: { run: commandSource('Run', '') } },
      /^commands command run \(taken\)/,
    ],
    [
      'commands without a manifest',
      { commands: { wave: commandSource('Wave', '') }, hasManifest: false },
      /^commands oclif\.manifest\.json: .*has commands but no/,
    ],
  ])('finds %s', async (_name, plugin, finding) => {
    const result = await check(await write(plugin), '--json');

    expect(failures(result)).toEqual(expect.arrayContaining([expect.stringMatching(finding)]));
    expect(result.code).toBe(1);
    expect(reportOf(result).checks.filter(({ state, hint }) => state === 'failed' && (hint ?? '') === '')).toEqual([]);
  });

  it('finds a module that leads out of the package', async () => {
    const root = await write({ files: {} });
    await mkdir(join(root, 'dist'));
    await writeFile(join(root, '..', 'evil.js'), 'process.stdout.write("RAN");');
    await symlink('../../evil.js', join(root, 'dist', 'x.js'));

    const result = await check(root, '--json');

    expect(failures(result)).toEqual([expect.stringMatching(/^file \.\/dist\/x\.js: .*leads out of its package/)]);
    expect(result.stdout).not.toContain('RAN');
  });

  it('says of hooks and lifecycle scripts that they never run, and runs none', async () => {
    const marker = join(home.path, 'script-ran');
    const root = await write({ extra: { scripts: { prepare: `touch ${marker}`, postinstall: `touch ${marker}` } } });

    const result = await check(root, '--json');

    expect(reportOf(result).checks.filter(({ state }) => state === 'warned')).toMatchObject([
      { check: 'not taken', where: 'script postinstall' },
      { check: 'not taken', where: 'script prepare' },
    ]);
    expect([result.code, existsSync(marker)]).toEqual([0, false]);
  });
});

describe('what a module does while it is loaded', () => {
  it.each<readonly [string, string, RegExp]>([
    ['printing', "process.stdout.write('\\u001b[31mhello');", /it prints "\\u001b\[31mhello" on stdout/],
    ['warning on stderr', "console.error('careful');", /it prints "careful" on stderr/],
    ['a global', 'globalThis.acme = 1;', /it changes the global acme/],
    ['another fetch', 'globalThis.fetch = () => {};', /it changes the global fetch/],
    ['a method for all arrays', 'Array.prototype.last = function () {};', /it changes Array\.prototype\.last/],
    ['a listener on the process', "process.on('SIGINT', () => {});", /it changes listeners of the process for SIGINT/],
    ['the environment', "process.env.ACME = '1';", /it changes the environment variable ACME/],
    ['a timer', 'setInterval(() => {}, 1000);', /it keeps the process alive \(Timeout\)/],
    ['a request', "fetch('http://127.0.0.1:59999/').catch(() => {});", /it starts a (request|connection)/],
    [
      'a connection',
      "import { connect } from 'node:net'; connect(59999, '127.0.0.1').on('error', () => {});",
      /it starts a connection/,
    ],
    [
      'a process',
      "import { spawn } from 'node:child_process'; spawn('true').on('error', () => {});",
      /it writes a file or starts a process/,
    ],
    ['an exit', 'process.exit(3);', /its process ended \(3\) while it was loaded/],
    ['a throw', "throw new Error('no luck');", /it cannot be loaded: no luck/],
    ['a missing dependency', "import 'no-such-package';", /it cannot be loaded: .*no-such-package/],
  ])('finds %s', async (_name, text, finding) => {
    const result = await check(await write(source(text)), '--json');

    expect(failures(result)).toContainEqual(
      expect.stringMatching(new RegExp(`^module \\./dist/x\\.js: .*${finding.source}`)),
    );
    expect(result.code).toBe(1);
  });

  it('cannot write a file', async () => {
    const marker = join(home.path, 'module-wrote');

    const result = await check(
      await write(source(`import { writeFileSync } from 'node:fs'; writeFileSync(${JSON.stringify(marker)}, '');`)),
      '--json',
    );

    expect(failures(result)).toEqual([expect.stringContaining('while it is loaded it writes a file')]);
    expect(existsSync(marker)).toBe(false);
  });

  it('finds no key of the user in its environment', async () => {
    const result = await check(
      await write(source("if (JSON.stringify(process.env).includes('sk-user-secret')) throw new Error('seen');")),
      '--json',
    );

    expect(failures(result)).toEqual([]);
  });

  it('is not followed by the contract, which would load the module once more', async () => {
    const result = await check(await write(source('globalThis.acme = 1;')), '--json');

    expect(reportOf(result).checks.filter(({ check: one }) => one === 'contract' || one === 'create')).toMatchObject([
      { state: 'skipped' },
    ]);
  });

  it.each([
    ['without a contribution', 'export const other = 1;', /it exports no `contribution` with a tag/],
    [
      'for another point',
      GOOD.replaceAll('defineExecutor', 'defineModelProvider'),
      /is tagged kit\.modelProviders, not kit\.executors/,
    ],
  ])('finds a module %s', async (_name, text, finding) => {
    expect(failures(await check(await write({ files: { 'dist/x.js': text } }), '--json'))).toEqual([
      expect.stringMatching(finding),
    ]);
  });
});

describe('what a contribution does', () => {
  const make = (create: string): Partial<PluginPackage> => ({
    files: {
      'dist/x.js': `import { defineExecutor } from '@kit-run/kit/plugin';\nexport const contribution = defineExecutor({ create: ${create} });`,
    },
  });

  it('finds one that cannot be created, and one whose configuration is not known', async () => {
    const throwing = await check(await write(make("() => { throw new Error('no luck'); }")), '--json');
    const needy = await check(
      await write({
        ...contribution({ configSchema: './schemas/x.json' }),
        files: { 'dist/x.js': GOOD, 'schemas/x.json': '{"type":"object","required":["url"]}' },
      }),
      '--json',
    );

    expect(failures(throwing)).toEqual([expect.stringMatching(/^create executors acme\.x: .*no luck/)]);
    expect(failures(needy)).toEqual([expect.stringMatching(/^create executors acme\.x: .*"url" is missing/)]);
    expect(reportOf(needy).checks.find(({ state }) => state === 'failed')?.hint).toContain('test/contract.json');
  });

  it('finds one that breaks the contract of its point, case by case', async () => {
    const result = await check(await write(make("() => ({ run: async () => 'done' })")), '--json');

    expect(failures(result)).toEqual([
      expect.stringMatching(
        /^contract executors acme\.x: answers with a result of the known shape: run answered with no result/,
      ),
    ]);
    expect(
      reportOf(result).checks.filter(({ check: one, state }) => one === 'contract' && state === 'passed').length,
    ).toBeGreaterThan(5);
  });

  it('goes on when one ends the process', async () => {
    const result = await check(await write(make('() => ({ run: async () => process.exit(7) })')), '--json');

    expect(failures(result)).toEqual([expect.stringContaining('contract executors acme.x: the process ended (7)')]);
    expect(result.code).toBe(1);
  });

  it('refuses fixtures of another shape and says where', async () => {
    const root = await write({
      files: { 'dist/x.js': GOOD, 'test/contract.json': '{"executors":{"acme.x":{"colour":1}}}' },
    });

    expect(failures(await check(root, '--json'))).toEqual([
      expect.stringMatching(/create executors acme\.x: .*contract\.json.*"colour" is not allowed/),
    ]);
  });
});

describe('commands and tests of a plugin', () => {
  it('writes the manifest of the commands when asked, and finds one that is not fresh', async () => {
    const root = await write({ contributes: {}, commands: { wave: commandSource('Wave', '') } });

    const stale = await check(root, '--json');
    const written = await check(root, '--json', '--write-manifest');
    const fresh = await check(root, '--json');

    expect(failures(stale)).toEqual([
      expect.stringContaining('commands oclif.manifest.json: it is not what the commands say now'),
    ]);
    expect([written.code, fresh.code]).toEqual([0, 0]);
    expect(JSON.parse(await readFile(join(root, 'oclif.manifest.json'), 'utf8'))).toMatchObject({
      commands: { wave: { id: 'wave' } },
    });
  });

  it('writes no manifest when a command cannot be loaded', async () => {
    const root = await write({
      contributes: {},
      commands: { wave: "throw new Error('no luck');" },
      hasManifest: false,
    });

    const result = await check(root, '--json', '--write-manifest');

    expect(result.lines()).toMatchObject([
      { code: 'KIT_PLUGIN_LOAD_FAILED', exit: 2, message: expect.stringContaining('no luck') },
    ]);
    expect(existsSync(join(root, 'oclif.manifest.json'))).toBe(false);
  });

  it('finds a test that fails, and a command module with side effects', async () => {
    const test = "import { test } from 'node:test';\ntest('holds', () => { throw new Error('it does not hold'); });";
    const root = await write({
      commands: { wave: `process.stdout.write('hi');\n${commandSource('Wave', '')}` },
      files: { 'dist/x.js': GOOD, 'test/x.test.js': test },
    });

    const found = failures(await check(root, '--json', '--test', '--write-manifest'));

    expect(found).toEqual([
      expect.stringContaining('module ./dist/commands/wave.js: it prints "hi" on stdout'),
      expect.stringContaining('it does not hold'),
    ]);
  });

  it('prints what a plugin says without letting it move the cursor', async () => {
    const result = await check(
      await write({ files: { 'dist/x.js': "throw new Error('\\u001b[2J\\u001b]0;title\\u0007gone');" } }),
    );

    expect(result.stdout).toContain('it cannot be loaded: gone');
    expect(result.stdout).not.toContain('\u001b');
  });
});

describe('the page of a point', () => {
  it('is printed for a point that is in use, one that is not, and for commands', async () => {
    const pages = await Promise.all(['executors', 'triggers', 'commands'].map((point) => check('--explain', point)));

    expect(pages.map(({ code, stdout }) => [code, stdout.split('\n')[0]])).toEqual([
      [0, '# executors'],
      [0, '# triggers'],
      [0, '# commands'],
    ]);
  });

  it('is asked for with the right word, or the near one is named', async () => {
    const near = await check('--explain', 'executor', '--json');
    const path = await check('--explain', '../../README', '--json');
    const nothing = await runKitHere(['plugins', 'check', '--json'], { env: home.env });

    expect(near.lines()).toMatchObject([
      { code: 'KIT_USAGE', hint: expect.stringContaining('Did you mean executors?') },
    ]);
    expect(path.lines()).toMatchObject([{ code: 'KIT_USAGE', exit: 2 }]);
    expect(nothing.lines()).toMatchObject([
      { code: 'KIT_USAGE', exit: 2, hint: expect.stringContaining('kit plugins check .') },
    ]);
  });
});

it('goes by what kit saw, whatever a module sends to the process that watches it', async () => {
  const forged = '{ importMs: 1, error: null, tag: "kit.executors", commands: [], changes: [], started: [], open: [] }';
  const text = `process.send({ nonsense: true }); process.send(${forged}); globalThis.acme = 1;`;

  expect(failures(await check(await write(source(text)), '--json'))).toEqual([
    expect.stringContaining('it changes the global acme'),
  ]);
});
