// Which modules usual commands load, by trying them on the unfolded program. Where one fails,
// because somebody is changing it, what it loaded until then has to do: this decides how files are
// cut, and nothing else.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** Name -> command line, inside of a template. */
const COMMANDS = {
  start: { argv: ['--version'], template: 'hello' },
  validate: { argv: ['validate', '.'], template: 'hello' },
  // With documents, memory, and a gate.
  larger: { argv: ['validate', '.'], template: 'support-triage' },
  status: { argv: ['status'], template: 'hello' },
  run: { argv: ['run', 'hello', '--input', 'hi'], template: 'hello' },
  storage: { argv: ['storage', 'status'], template: 'hello' },
  system: { argv: ['system'], template: 'hello' },
};

/** What every module of a plugin imports, whatever else a command needs. */
const EXPORT = 'plugin';

/** Name of a command -> paths of the modules that it loads. */
export async function startProfiles({ root }) {
  const scratch = await mkdtemp(join(tmpdir(), 'kit-profiles-'));
  try {
    const tried = Object.entries(COMMANDS).map(async ([name, { argv, template }]) => {
      const home = join(scratch, name);
      const workspace = join(scratch, `${name}-workspace`);
      await cp(join(root, 'templates', template), workspace, { recursive: true });
      await mkdir(home);
      const { href } = pathToFileURL(join(root, 'dist/boot/main.js'));
      const program = `const { main, processWorld } = await import('${href}');
        await main(process.argv.slice(1), processWorld());`;
      return [name, await modulesOf({ program, argv, workspace, home })];
    });
    const directory = join(scratch, EXPORT);
    await mkdir(directory);
    const program = `await import('${pathToFileURL(join(root, 'dist/sdk/plugin.js')).href}');`;
    const opened = modulesOf({ program, argv: [], workspace: directory, home: directory }).then((modules) => [
      EXPORT,
      modules,
    ]);
    return Object.fromEntries(await Promise.all([...tried, opened]));
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function modulesOf({ program, argv, workspace, home }) {
  const child = spawn(process.execPath, ['--input-type=module', '--eval', program, '--', ...argv], {
    cwd: workspace,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      KIT_DATA_DIR: join(home, 'kit'),
      NODE_V8_COVERAGE: join(home, 'loaded'),
    },
    stdio: 'ignore',
    timeout: 120_000,
  });
  await once(child, 'close');
  const files = await readdir(join(home, 'loaded')).catch(() => []);
  const reports = await Promise.all(
    files.map(async (file) => JSON.parse(await readFile(join(home, 'loaded', file), 'utf8'))),
  );
  const urls = reports.flatMap(({ result }) => result.map(({ url }) => url)).filter((url) => url.startsWith('file:'));
  return new Set(urls.map((url) => fileURLToPath(url)));
}
