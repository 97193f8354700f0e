// What main.ts does.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectRoot } from './detect.js';
import { ownLinks } from './own-links.js';
import { runTests } from './run-tests.js';

const args = process.argv.slice(2);

/** The value after an option, or null. */
function option(name: string): string | null {
  const at = args.indexOf(name);
  return at === -1 ? null : (args[at + 1] ?? null);
}

/** A JSON list of words, or anything else as it is. */
function wordsOf(text: string | null): string | readonly string[] | null {
  if (text === null || !text.startsWith('[')) return text;
  try {
    const words: unknown = JSON.parse(text);
    return Array.isArray(words) ? words.map(String) : text;
  } catch {
    // `[ -f x ] && make test` is a line for a shell.
    return text;
  }
}

const reportDir = mkdtempSync(join(tmpdir(), 'kit-tests-'));
const cleanUp = (): void => rmSync(reportDir, { recursive: true, force: true });
// Whoever ends the run asks the whole group first: the tests get the signal themselves, this
// process only tidies up.
for (const [signal, code] of [
  ['SIGTERM', 143],
  ['SIGINT', 130],
  ['SIGHUP', 129],
] as const) {
  process.on(signal, () => {
    cleanUp();
    process.exit(code);
  });
}

// --command <line or JSON list of words>; without it the repository says. --links <JSON list of
// linked folders>.
const links = wordsOf(option('--links'));
try {
  await ownLinks(process.cwd(), typeof links === 'string' ? [links] : (links ?? []));
  process.exitCode = await runTests({
    cwd: projectRoot(process.cwd()),
    env: process.env,
    command: wordsOf(option('--command')),
    reportDir,
    nodeReporter: new URL('./node-reporter.js', import.meta.url).href,
    write: (line) => process.stdout.write(`${JSON.stringify(line)}\n`),
  });
} finally {
  cleanUp();
}
