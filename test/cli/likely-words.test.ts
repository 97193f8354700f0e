import { readdirSync, readFileSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KitHome, makeHome, projectRoot, runKitHere } from '../support/kit-process.js';
import { writePlugin } from '../support/plugin-package.js';
import { openSqliteWorld } from '../support/store-world.js';
import { triggerFile } from '../support/triggers/trigger-world.js';

let home: KitHome;
let dir: string;

async function workspaceWith(name: string, file: string, from: string, to: string): Promise<void> {
  await cp(join(projectRoot, 'templates', 'hello'), join(dir, name), { recursive: true });
  const text = await readFile(join(dir, name, file), 'utf8');
  if (!text.includes(from)) throw new Error(`${file} does not hold ${from}`);
  await writeFile(join(dir, name, file), text.replace(from, to));
}

beforeAll(async () => {
  home = await makeHome();
  dir = await mkdtemp(join(tmpdir(), 'kit-likely-'));
  await workspaceWith('team', 'workspace.yaml', 'kind: Workspace', 'kind: Workspace');
  await mkdir(join(dir, 'team', 'triggers'), { recursive: true });
  await writeFile(
    join(dir, 'team', 'triggers', 'nightly.yaml'),
    triggerFile('nightly', 'type: manual\ntargets: [hello]\n'),
  );
  const stores = await openSqliteWorld({ stateDir: join(dir, 'team', '.kit') });
  await stores.stores.artifacts.put({
    correlation: 'release',
    runId: 'a1b2c3',
    name: 'notes',
    mediaType: 'text/plain',
    bytes: Buffer.from('x'),
  });
  await stores.dispose();
  const plugin = await writePlugin(home.path, { name: '@acme/kit-plugin-greet' });
  const linked = await runKitHere(['plugins', 'link', plugin, '--yes'], { env: home.env });
  if (linked.code !== 0) throw new Error(linked.stderr);
});
afterAll(async () => {
  await rm(dir, { recursive: true, force: true });
  await home.remove();
});

/**
 * Every place where a user names one of a known set: what was typed, with which environment, and
 * what was meant.
 */
const PLACES: readonly {
  readonly place: string;
  readonly argv: readonly string[];
  readonly meant: string;
  readonly env?: NodeJS.ProcessEnv;
}[] = [
  { place: 'a command', argv: ['vlaidate'], meant: '`kit validate`' },
  { place: 'a word below a topic', argv: ['plugins', 'instal', 'x'], meant: '`kit plugins install`' },
  { place: 'a flag', argv: ['validate', '--fromat', 'json'], meant: '--format' },
  { place: 'a flag with its value', argv: ['run', 'team', 'hello', '--inptu=x'], meant: '--input' },
  { place: 'a part of the name of a flag', argv: ['new', 'provider', 'x', '--url', 'https://a'], meant: '--base-url' },
  { place: 'what a flag is described beside', argv: ['new', 'funnel', 'x', '--quorum', '2'], meant: '--people' },
  { place: 'what a flag is described with', argv: ['new', 'trigger', 'x', '--cron', '0 3 * * *'], meant: '--schedule' },
  { place: 'a value of a flag', argv: ['validate', 'team', '--format', 'sraif'], meant: 'sarif' },
  { place: 'a value of an argument', argv: ['completion', 'fihs'], meant: 'fish' },
  { place: 'a diagnostic code', argv: ['validate', '--explain', 'agent.unknwon-skill'], meant: 'agent.unknown-skill' },
  { place: 'a template', argv: ['init', 'new', '--template', 'helo', '--yes'], meant: 'hello' },
  { place: 'a topology', argv: ['run', 'team', 'helo', '--input', 'x'], meant: 'hello' },
  { place: 'the file of a topology', argv: ['run', 'team', 'topologies/hello.yaml', '-i', 'x'], meant: 'hello' },
  { place: 'a version of a topology', argv: ['run', 'team', 'hello@1.0.1', '--input', 'x'], meant: 'hello@1.0.0' },
  {
    place: 'a provider',
    argv: ['run', 'team', 'hello', '--input', 'x'],
    env: { KIT_PROVIDER: 'opneai', KIT_MODEL: 'm' },
    meant: 'openai',
  },
  { place: 'an artifact', argv: ['artifacts', 'get', 'release/a1b2c3/nots', 'team'], meant: 'release/a1b2c3/notes' },
  { place: 'a trigger', argv: ['triggers', 'fire', 'nightli', 'team'], meant: 'nightly' },
  {
    place: 'a plugin to look at',
    argv: ['plugins', 'inspect', '@acme/kit-plugin-gret'],
    meant: '@acme/kit-plugin-greet',
  },
  {
    place: 'a plugin to update',
    argv: ['plugins', 'update', '@acme/kit-plugin-gret'],
    meant: '@acme/kit-plugin-greet',
  },
  {
    place: 'a plugin to remove',
    argv: ['plugins', 'uninstall', '@acme/kit-plugin-gret'],
    meant: '@acme/kit-plugin-greet',
  },
];

describe('a misspelt name', () => {
  it.each(PLACES)('of $place is refused with exit 2 and the likely one', async ({ argv, meant, env }) => {
    const plain = await runKitHere(argv, { cwd: dir, env: { ...home.env, ...env } });

    expect(plain).toMatchObject({ code: 2, stdout: '' });
    expect(plain.stderr).toContain(`  hint: Did you mean ${meant}?\n`);
  });

  it('is asked for where it is missing, with where to find it', async () => {
    const item = await runKitHere(['review', 'approve', '--as', 'ada'], { cwd: dir, env: home.env });
    const plugin = await runKitHere(['plugins', 'install'], { cwd: dir, env: home.env });

    expect(item.code).toBe(2);
    expect(item.stderr).toMatch(
      /^error\[KIT_USAGE\]: `kit review approve` needs ITEM: .*\n {2}hint: `kit review list` shows what waits/,
    );
    expect(plugin.stderr).toMatch(/`kit plugins install` needs PLUGIN: .*\n {2}hint: `kit plugins install --help`/);
  });

  it('has its hint under --json as well', async () => {
    const { lines, stderr } = await runKitHere(['validate', '--fromat', 'json', '--json'], { cwd: dir, env: home.env });

    expect(stderr).toBe('');
    expect(lines()).toMatchObject([
      { type: 'error', code: 'KIT_USAGE', message: 'there is no flag --fromat', hint: 'Did you mean --format?' },
    ]);
  });

  it('is answered with the variable that sets what no flag does, and with --help', async () => {
    const hintOf = async (...argv: readonly string[]) =>
      (await runKitHere(argv, { cwd: dir, env: home.env })).stderr.split('\n')[1];

    expect(await hintOf('run', 'team', 'hello', '--input', 'x', '--model', 'm1')).toBe(
      '  hint: Set the variable KIT_MODEL in place of a flag.',
    );
    expect(await hintOf('status', '--state-dir=x')).toBe('  hint: Set the variable KIT_STATE_DIR in place of a flag.');
    expect(await hintOf('run', '--helpp')).toBe('  hint: Did you mean --help?');
  });

  it('is answered with what there is, or where to look, when nothing is near', async () => {
    const flag = await runKitHere(['validate', '--zzzzzz'], { cwd: dir, env: home.env });
    const topology = await runKitHere(['run', 'team', 'zzzzzz', '--input', 'x'], { cwd: dir, env: home.env });

    expect(flag.stderr).toBe(
      'error[KIT_USAGE]: there is no flag --zzzzzz\n  hint: `kit validate --help` lists its flags.\n',
    );
    expect(topology.stderr).toContain('the workspace has hello@1.0.0\n  hint: Run `kit validate --tree -w team`');
  });
});

/** What nobody types from memory, and no name at all. */
const NO_NAMES = [
  'KIT_JOB_UNKNOWN',
  'KIT_DIFF_UNKNOWN',
  'KIT_CONVERSATION_UNKNOWN',
  'KIT_PRICE_UNKNOWN',
  'KIT_MEMORY_UNKNOWN',
];
/**
 * Refuses a run that is there and of which nothing waits, an agent that names nothing, a login
 * that nobody has made, a run whose
 * caller names it out of its own snapshot, a version that nobody can tell, and addresses that are
 * known and not here, or switched off: no word to compare.
 */
const NAMES_NOTHING = [
  'src/app/review/named-items.ts',
  'src/app/submit/prepare-child.ts',
  'src/app/submit/resolve-models.ts',
  'src/app/upgrade/create-upgrade-app.ts',
  'plugins/console/src/mount.ts',
  'plugins/oauth/src/commands/credentials/logout.ts',
  'plugins/protocols/src/mcp/http/mount.ts',
  'plugins/protocols/src/mcp/http/protected-resource.ts',
  'plugins/serve/src/mounts/connections/login-routes.ts',
];

it('every place in the source that refuses an unknown name asks for the likely one', () => {
  const folders = ['src', ...readdirSync(join(projectRoot, 'plugins')).map((name) => `plugins/${name}/src`)];
  const files = folders.flatMap((folder) =>
    readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => `${folder}/${name}`),
  );
  const throwing = files.filter((file) => {
    const thrown = [
      ...readFileSync(join(projectRoot, file), 'utf8').matchAll(/new KitError\(\s*'(KIT_\w+_UNKNOWN)'/g),
    ].map(([, code = '']) => code);
    return thrown.some((code) => !NO_NAMES.includes(code));
  });

  expect(throwing.length).toBeGreaterThan(4);
  expect(throwing.filter((file) => !/\bhintFor\(/.test(readFileSync(join(projectRoot, file), 'utf8')))).toEqual(
    NAMES_NOTHING,
  );
});
