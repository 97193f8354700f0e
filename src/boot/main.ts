import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '@oclif/core/run';
import { settings as oclifSettings } from '@oclif/core/settings';
import type { App } from '../app/app.js';
import type { CliHost, ProcessSettings } from '../cli/kit-command.js';
import { describeError, renderError, toErrorLine } from '../cli/problem.js';
import { type KnownCommand, unknownCommand } from '../cli/unknown-command.js';
import { namesOf } from '../host/take-commands.js';
import { createApp } from './app.js';
import { type LoadedPlugins, loadPlugins } from './discovery/plugins.js';
import { mapKitModules } from './module-map.js';
import { createRenderers } from './renderers.js';
import { readSettings } from './settings.js';
import { guardStderr, guardStdout } from './stdout-guard.js';
import { createLogLines } from './terminal.js';

const packageRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Optional until named: a broken foreign plugin is one line, and the command goes on. */
function warnOfRefused({ candidates }: LoadedPlugins): void {
  for (const { name, problem } of candidates) {
    if (problem !== undefined) process.stderr.write(`warning[${problem.code}]: plugin ${name} was not loaded: ${problem.message}\n`);
  }
}

function knownCommands({ map }: LoadedPlugins): readonly KnownCommand[] {
  const commands = [...map.values()].flatMap((plugin) => plugin.commands);
  return commands.flatMap((command) => {
    const takesWords = command.strict === false || Object.keys(command.args ?? {}).length > 0;
    return namesOf([command]).map((id) => ({ id, takesWords }));
  });
}

/** For what no KitCommand saw: an unknown command, a command module that cannot be loaded. */
function showProblem(error: unknown, argv: readonly string[], settings: ProcessSettings): void {
  const problem = describeError(error);
  process.exitCode = problem.exit;
  if (problem.silent) return;
  if (argv.includes('--json')) process.stdout.write(`${JSON.stringify(toErrorLine(problem))}\n`);
  else process.stderr.write(renderError(problem, settings));
}

/** Starts kit: plugins, then the command. Never rejects; the outcome is `process.exitCode`. */
export async function main(argv: readonly string[]): Promise<void> {
  const stdout = guardStdout(process.stdout, process.exit);
  guardStderr(process.stderr);
  const logLines = createLogLines(process.stderr);
  const settings = readSettings(process.env);
  oclifSettings.enableAutoTranspile = false; // only built code runs, also of linked plugins
  let app: App | undefined;
  try {
    const plugins = await loadPlugins({ packageRoot, env: process.env });
    warnOfRefused(plugins);
    const unknown = unknownCommand(argv, knownCommands(plugins));
    if (unknown !== null) throw unknown;
    mapKitModules(packageRoot);
    const kit = (): App => (app ??= createApp({ plugins, settings, env: process.env, logLines }));
    const host: CliHost = { settings, stdout, renderers: createRenderers(logLines), kit };
    await run([...argv], { root: packageRoot, plugins: plugins.map, ...host });
  } catch (error) {
    showProblem(error, argv, settings);
  } finally {
    await app?.close();
  }
}
