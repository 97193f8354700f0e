import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { NEWEST } from './pack-versions.mjs';

const PATIENCE_MS = 5 * 60_000;
const cache =
  process.env.KIT_UPGRADES_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'kit-upgrades');

/** The folder of a package manager's programs, installed where it is not there yet. */
function toolBin(wanted) {
  const folder = join(cache, wanted);
  const bin = join(folder, 'node_modules/.bin');
  if (existsSync(bin)) return bin;
  mkdirSync(folder, { recursive: true });
  const flags = ['--no-audit', '--no-fund', '--no-save', '--ignore-scripts', '--prefix', folder];
  const { status, stderr } = spawnSync('npm', ['install', ...flags, wanted], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${wanted} could not be installed: ${stderr}`);
  return bin;
}

/** The environment of somebody who has this Node, this package manager and nothing else. */
function envOf(place, { needs, isContainer = false }, { root, base, registry }) {
  const bin = join(place, 'node-bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(place, '.npmrc'), `registry=${registry}\n`);
  writeFileSync(join(place, '.yarnrc'), `global-folder "${join(place, 'yarn/global')}"\n`);
  // Nothing is built, as npm builds nothing that nobody allowed.
  writeFileSync(join(bin, 'node-gyp'), '#!/bin/sh\n', { mode: 0o755 });
  const modules = join(root, 'node_modules');
  if (!existsSync(join(bin, 'node'))) {
    symlinkSync(process.execPath, join(bin, 'node'));
    for (const name of ['npm', 'npx']) symlinkSync(join(modules, `npm/bin/${name}-cli.js`), join(bin, name));
  }
  const path = [
    bin,
    ...(needs === undefined ? [] : [toolBin(needs)]),
    join(place, 'pnpm'),
    join(place, 'pnpm/bin'),
    '/usr/bin',
    '/bin',
  ];
  return {
    PATH: path.join(delimiter),
    HOME: place,
    PNPM_HOME: join(place, 'pnpm'),
    npm_config_prefix: join(place, 'npm'),
    npm_config_cache: join(base, 'npm-cache'),
    npm_config_registry: registry,
    npm_config_store_dir: join(base, 'pnpm-store'),
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    YARN_REGISTRY: registry,
    YARN_CACHE_FOLDER: join(base, 'yarn-cache'),
    NODE_OPTIONS: `--import ${new URL('container.mjs', import.meta.url).href}`,
    KIT_UPGRADES_CONTAINER: isContainer ? '1' : '0',
    CI: '1',
  };
}

function run([file, ...argv], { cwd, env }) {
  const { promise, resolve } = Promise.withResolvers();
  const child = spawn(file, argv, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: PATIENCE_MS });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'])
    child[name].setEncoding('utf8').on('data', (text) => {
      said[name] += text;
    });
  child.once('error', ({ message }) => resolve({ code: null, stdout: '', stderr: message }));
  child.once('close', (code) => resolve({ code, ...said }));
  return promise;
}

/** A plugin of the user, which an upgrade has to keep. */
function writePlugin(place) {
  const folder = join(place, 'kit-plugin-hello');
  mkdirSync(join(folder, 'commands'), { recursive: true });
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      name: 'kit-plugin-hello',
      version: '1.0.0',
      type: 'module',
      oclif: { commands: './commands' },
      kit: { manifestVersion: 1, api: '^1.0.0', contributes: {} },
    }),
  );
  const hello = {
    id: 'hello',
    aliases: [],
    hiddenAliases: [],
    args: {},
    flags: {},
    isESM: true,
    relativePath: ['commands', 'hello.js'],
  };
  writeFileSync(join(folder, 'oclif.manifest.json'), JSON.stringify({ version: '1.0.0', commands: { hello } }));
  writeFileSync(
    join(folder, 'commands/hello.js'),
    "import { KitCommand } from '@kit-run/kit/command';\nexport class Hello extends KitCommand {\n  async run() { this.log('hello from the plugin'); }\n}\n",
  );
  return folder;
}

/** Topology with a gate: its run waits for a person. */
const PARKED = {
  'workspace.yaml':
    'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: parked, name: Parked }\nmemory: { enabled: false }\n',
  'topologies/gated.yaml':
    'apiVersion: kit/v1\nkind: Topology\nmetadata: { name: gated, version: 1.0.0, description: One gated agent. }\nagents:\n  root: { id: writer, role: root, model: { provider: mock, name: m1 }, prompt: { system: You write. }, funnel: sign-off }\n',
  'funnels/sign-off.yaml':
    'apiVersion: kit/v1\nkind: Funnel\nmetadata: { id: sign-off, name: Sign-off, description: One role signs. }\napprove: { rules: [{ scope: "release:sign", roles: [qa], quorum: all }] }\nprovenance: { authored_by: human, version: 1.0.0 }\n',
  'roles/people.yaml':
    'apiVersion: kit/v1\nkind: RoleRegistry\nmetadata: { id: people, name: People, description: Who signs. }\nroles: [{ id: qa, members: [qa-1], scopes: ["release:sign"] }]\n',
};

function writeParked(place) {
  const folder = join(place, 'parked');
  for (const [path, text] of Object.entries(PARKED)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

const lastOf = (stdout) => {
  try {
    return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
  } catch {
    return {};
  }
};

/** Installs kit in this way and drives its upgrade. Answers what is not as it should be. */
export async function drive(kind, world) {
  const place = join(world.base, kind.name);
  mkdirSync(place, { recursive: true });
  const env = envOf(place, kind, world);
  const cwd = kind.prepare(place);
  for (const argv of kind.install) {
    const { code, stdout, stderr } = await run(argv, { cwd, env });
    if (code !== 0) return [`${argv.join(' ')} ends with ${code}: ${(stdout + stderr).slice(-1500)}`];
  }
  const problems = [];
  const kit = (...argv) => run([...kind.program(cwd, world.root), ...argv], { cwd, env });
  const check = (what, isSo, answer) => {
    if (!isSo) problems.push(`${what}: exit ${answer.code} ${(answer.stdout + answer.stderr).slice(-1500)}`);
  };
  const version = async (what, wanted) => {
    const answer = await kit('--version');
    check(`${what}: kit --version is ${wanted}`, answer.stdout.startsWith(`@kit-run/kit/${wanted} `), answer);
  };
  const at = ['--registry', world.registry];

  const checked = await kit('upgrade', '--check', '--json', ...at);
  const report = lastOf(checked.stdout);
  check('--check is 1 when behind', checked.code === 1 && report.target === NEWEST, checked);
  check(`the method is ${kind.method}`, report.method === kind.method, checked);
  await version('--check installs nothing', '0.1.0');
  if (kind.isManual === true) {
    const refused = await kit('upgrade', '--yes', ...at);
    check(
      'an upgrade of it says what to do, exit 2',
      refused.code === 2 && refused.stderr.includes(kind.says ?? NEWEST),
      refused,
    );
    await version('it stays', '0.1.0');
    return problems;
  }

  const plugin = await kit('plugins', 'link', writePlugin(place), '--yes');
  check('a plugin is linked', plugin.code === 0, plugin);
  const parked = await run(
    [...kind.program(cwd, world.root), 'run', writeParked(place), 'gated', '--input', 'go', '--as', 'ada'],
    { cwd, env: { ...env, KIT_PROVIDER: 'mock' } },
  );
  check('a run is parked', parked.code === 3, parked);

  const unasked = await kit('upgrade', ...at);
  check('without a terminal and --yes nothing is installed', unasked.code === 2, unasked);
  await version('nobody said yes', '0.1.0');
  const stranding = await kit('upgrade', '--to', '0.4.0', '--yes', ...at);
  check(
    'a parked run that the target cannot go on with is in the way',
    stranding.code === 2 && stranding.stdout.includes('parked'),
    stranding,
  );
  const broken = await kit('upgrade', '--to', '0.3.0', '--yes', ...at);
  check(
    'a kit that does not run is taken back',
    broken.code !== 0 && broken.stderr.includes('0.1.0 was put back'),
    broken,
  );
  await version('taken back', '0.1.0');

  const upgraded = await kit('upgrade', '--yes', ...at);
  check('the upgrade is made', upgraded.code === 0 && upgraded.stdout.includes(`now ${NEWEST}`), upgraded);
  await version('upgraded', NEWEST);
  const hello = await kit('hello');
  check('the plugin is kept', hello.stdout.includes('hello from the plugin'), hello);
  const waiting = await kit('review', 'list', '-w', join(place, 'parked'));
  check('the run still waits', waiting.code === 0 && waiting.stdout.includes('writer'), waiting);
  const newest = await kit('upgrade', '--check', ...at);
  check('--check is 0 when nothing is newer', newest.code === 0, newest);

  const back = await kit('upgrade', '--to', '0.1.0', '--yes', ...at);
  check('--to goes back', back.code === 0, back);
  await version('gone back', '0.1.0');
  const absent = await kit('upgrade', '--to', '9.9.9', '--yes', ...at);
  check('a version that nobody has is exit 2', absent.code === 2, absent);
  const manifest = join(cwd, 'package.json');
  if (existsSync(manifest)) {
    const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8'));
    const group = kind.group === 'dev' ? devDependencies : dependencies;
    const other = kind.group === 'dev' ? dependencies : devDependencies;
    const isKept = '@kit-run/kit' in group && !('@kit-run/kit' in other);
    check('it stays in its group of package.json', isKept, {
      code: 0,
      stdout: readFileSync(manifest, 'utf8'),
      stderr: '',
    });
  }
  return problems;
}
