import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Config } from '@oclif/core/config';
import { run } from '@oclif/core/run';
import { settings as oclifSettings } from '@oclif/core/settings';
import type { CliHost } from '../cli/cli-host.js';
import { describeError, type Problem, renderError, toErrorLine } from '../cli/problem.js';
import type { ProcessIo, ProcessWorld } from '../cli/process-io.js';
import { type KnownCommand, unknownCommand, VERSION_WORDS } from '../cli/unknown-command.js';
import { namesOf } from '../host/take-commands.js';
import { withAbsolutePaths } from './absolute-paths.js';
import type { BootedApp } from './booted-app.js';
import type { OpenContainment } from './containment/containment.js';
import { openCrashGuard } from './containment/crash-guard.js';
import { type LoadedPlugins, loadPlugins } from './discovery/plugins.js';
import { mapKitModules } from './module-map.js';
import { readSettings } from './settings.js';
import { createLogLines } from './terminal.js';

export { processWorld } from './process-world.js';

const packageRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** What ends the warning of a plugin: one that comes with kit, or from a folder, is not updated. */
function endOfWarning({ name, origin }: LoadedPlugins['candidates'][number]): string {
  switch (origin) {
    case 'bundled':
      return '';
    case 'linked':
      return `; \`kit plugins uninstall ${name}\` ends this`;
    case 'user':
      return `; \`kit plugins update ${name}\` or \`kit plugins uninstall ${name}\` ends this`;
  }
}

/** Optional until named: a broken foreign plugin is one line, and the command goes on. */
function warnOfRefused({ candidates }: LoadedPlugins, { stderr }: ProcessIo): void {
  for (const candidate of candidates) {
    const { name, problem } = candidate;
    if (problem !== undefined)
      stderr.write(
        `warning[${problem.code}]: plugin ${name} was not loaded: ${problem.message}${endOfWarning(candidate)}\n`,
      );
  }
}

function knownCommands({ map }: LoadedPlugins): readonly KnownCommand[] {
  const commands = [...map.values()].flatMap((plugin) => plugin.commands);
  return commands.flatMap((command) => {
    const maxWords = command.strict === false ? Number.POSITIVE_INFINITY : Object.keys(command.args ?? {}).length;
    return namesOf([command]).map((id) => ({ id, maxWords }));
  });
}

/** For what no KitCommand saw: an unknown command, a command module that cannot be loaded. */
function showProblem(problem: Problem, argv: readonly string[], io: ProcessIo, verbose: boolean): void {
  io.exitCode = problem.exit;
  if (problem.silent) return;
  if (argv.includes('--json')) io.stdout.write(`${JSON.stringify(toErrorLine(problem))}\n`);
  else io.stderr.write(renderError(problem, { verbose }));
}

/**
 * Runs one command line in `world`; answers the exit code, which `world.exitCode` holds as soon as
 * it is known. Never rejects. Calls in one process share what Node and oclif keep for all of it
 * (loaded modules, `globalThis.oclif`, the variables that oclif itself reads) and nothing else.
 */
export async function main(argv: readonly string[], world: ProcessWorld): Promise<number> {
  const env = withAbsolutePaths(world.env, world.cwd);
  const logLines = createLogLines(world.stderr);
  const settings = readSettings(world);
  oclifSettings.enableAutoTranspile = false; // only built code runs, also of linked plugins
  const unmap = mapKitModules(packageRoot);
  let app: BootedApp | undefined;
  let plugins: LoadedPlugins | undefined;
  let containment: OpenContainment | undefined;
  const guard = openCrashGuard(world, async (crash) => {
    const { endCrashed } = await import('./containment/end-crashed.js');
    await endCrashed(crash, {
      plugins: plugins ?? { candidates: [], dataDir: '' },
      show: (problem) => showProblem(problem, argv, world, settings.verbose),
      leave: async () => app?.leave(),
    });
  });
  try {
    const loaded = await loadPlugins({ packageRoot, env });
    plugins = loaded;
    warnOfRefused(loaded, world);
    const isVersion = argv.length === 1 && VERSION_WORDS.has(argv[0] ?? '');
    // oclif would write it to the stdout of the process; nothing of the app is needed for it.
    if (isVersion) {
      world.stdout.write(`${(await Config.load({ root: packageRoot, plugins: loaded.map })).userAgent}\n`);
      return Number(world.exitCode ?? 0);
    }
    const unknown = unknownCommand(argv, knownCommands(loaded));
    if (unknown !== null) throw unknown;
    const [{ createApp }, { createScreens }] = await Promise.all([import('./app.js'), import('./screens.js')]);
    const { own } = world;
    const openContainment = async (process: NodeJS.Process): Promise<OpenContainment> => {
      const { createContainment } = await import('./containment/containment.js');
      containment ??= createContainment({ process, plugins: loaded, guard });
      return containment;
    };
    const kit = (): BootedApp =>
      (app ??= createApp({
        ...{ plugins: loaded, settings, env, logLines },
        ...(own === undefined ? {} : { openContainment: () => openContainment(own) }),
      }));
    const host: CliHost = {
      connect: async (server, command) =>
        (await import('./remote/connect.js')).connect({ env, server, command, packageRoot }),
      browser: {
        open: async (url) =>
          (await import('../system/open-browser.js')).openBrowser(url, { env, platform: process.platform }),
        whoAnswers: async (base) => (await import('../system/open-browser.js')).whoAnswers(base),
      },
      settings,
      io: world,
      stdout: world.stdoutGuard,
      screens: createScreens(world, logLines),
      kit,
    };
    await run([...argv], { root: packageRoot, plugins: loaded.map, ...host });
  } catch (error) {
    showProblem(describeError(error), argv, world, settings.verbose);
  } finally {
    await app?.close();
    unmap();
    containment?.end((line) => void world.stderr.write(line));
  }
  return Number(world.exitCode ?? 0);
}
