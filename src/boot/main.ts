import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '@oclif/core/run';
import type { App } from '../app/app.js';
import type { CliHost } from '../cli/kit-command.js';
import { describeError, renderError, toErrorLine } from '../cli/problem.js';
import { createApp } from './app.js';
import { loadPlugins } from './plugins.js';
import { readSettings } from './settings.js';

const packageRoot = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** A reader that went away (`kit logs | head`) is no error. */
function endQuietlyOnClosedStdout(): void {
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
  });
}

/** Starts kit: plugins, then the command. Never rejects; the outcome is `process.exitCode`. */
export async function main(argv: readonly string[]): Promise<void> {
  endQuietlyOnClosedStdout();
  const settings = readSettings(process.env);
  let app: App | undefined;
  try {
    const plugins = await loadPlugins({ packageRoot, env: process.env });
    const host: CliHost = { settings, kit: () => (app ??= createApp({ plugins, settings, env: process.env })) };
    await run([...argv], { root: packageRoot, plugins: plugins.map, ...host });
  } catch (error) {
    // what no KitCommand saw: an unknown command, a command module that cannot be loaded
    const problem = describeError(error);
    process.exitCode = problem.exit;
    if (problem.silent) return;
    if (argv.includes('--json')) process.stdout.write(`${JSON.stringify(toErrorLine(problem))}\n`);
    else process.stderr.write(renderError(problem, settings));
  } finally {
    await app?.close();
  }
}
