import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTests } from '../../../plugins/harness/src/test-runner/run-tests.js';

const repository = fileURLToPath(new URL('../../..', import.meta.url));

export interface Project {
  readonly root: string;
  write(path: string, text: string): void;
  remove(): void;
}

/**
 * A repository of its own in a private folder; `node_modules` is linked in as a worktree links it.
 */
export function makeProject(
  files: Readonly<Record<string, string>>,
  options: { readonly modules?: boolean } = {},
): Project {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'kit-project-')));
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries(files)) write(path, text);
  if (options.modules === true) symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'));
  return { root, write, remove: () => rmSync(root, { recursive: true, force: true }) };
}

/**
 * What a test command may see: this Node first, a home of its own, nothing of the surrounding test
 * run.
 */
export function cleanEnv(home: string): NodeJS.ProcessEnv {
  return {
    PATH: `${join(repository, 'node_modules/.bin')}:${process.env.PATH}`,
    HOME: home,
    TMPDIR: tmpdir(),
    npm_config_update_notifier: 'false',
  };
}

export type Line = Record<string, unknown>;

export interface Outcome {
  readonly code: number;
  readonly lines: readonly Line[];
  readonly tests: readonly Line[];
  readonly last: Line;
}

/** Runs the wrapper's work in this process; the test command itself is a real process. */
export async function runIn(
  project: Project,
  command: string | readonly string[] | null = null,
  env: NodeJS.ProcessEnv = {},
): Promise<Outcome> {
  const lines: Line[] = [];
  const reportDir = mkdtempSync(join(tmpdir(), 'kit-reports-'));
  const code = await runTests({
    reportDir,
    cwd: project.root,
    command,
    env: { ...cleanEnv(project.root), ...env },
    nodeReporter: new URL('../../../plugins/harness/src/test-runner/node-reporter.ts', import.meta.url).href,
    write: (line) => lines.push(line),
  });
  rmSync(reportDir, { recursive: true, force: true });
  return { code, lines, tests: lines.filter((line) => line.type === 'test'), last: lines.at(-1) ?? {} };
}
