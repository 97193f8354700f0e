// The program behind the bundled adapter `test-runner`: run by Node as a process of its own, never imported.
import { projectRoot } from './detect.js';
import { runTests } from './run-tests.js';

/** `--command <line or JSON list of words>`; without it the repository says. */
function commandOf(args: readonly string[]): string | readonly string[] | null {
  const at = args.indexOf('--command');
  const given = at === -1 ? undefined : args[at + 1];
  if (given === undefined) return null;
  if (!given.startsWith('[')) return given;
  const words: unknown = JSON.parse(given);
  return Array.isArray(words) ? words.map(String) : given;
}

process.exitCode = await runTests({
  cwd: projectRoot(process.cwd()),
  env: process.env,
  command: commandOf(process.argv.slice(2)),
  nodeReporter: new URL('./node-reporter.js', import.meta.url).href,
  write: (line) => process.stdout.write(`${JSON.stringify(line)}\n`),
});
