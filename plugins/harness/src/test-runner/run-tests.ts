import { existsSync, realpathSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { inspectRepository } from './detect.js';
import { type Invocation, instrument } from './instrument.js';
import type { Framework, TestRecord } from './records.js';
import { list, member, number, text } from './report-fields.js';
import { readJestReport } from './report-jest.js';
import { runCommand } from './run-command.js';
import { relativeFile, summaryLine, testLine } from './summary.js';

const contentOf = (element: unknown): string =>
  [text(member(element, '@message')), text(member(element, '#text'))].filter((part) => part !== '').join('\n');

function recordOf(testcase: unknown): TestRecord {
  const problems = [...list(member(testcase, 'failure')), ...list(member(testcase, 'error'))];
  const isSkipped = member(testcase, 'skipped') !== undefined;
  const line = number(member(testcase, '@line'));
  return {
    name: [text(member(testcase, '@classname')), text(member(testcase, '@name'))]
      .filter((part) => part !== '')
      .join(' > '),
    file: text(member(testcase, '@file')),
    // pytest counts lines from 0.
    line: line === null ? null : line + 1,
    status: problems.length > 0 ? 'failed' : isSkipped ? 'skipped' : 'passed',
    durationMs: (number(member(testcase, '@time')) ?? 0) * 1000,
    message: problems.map(contentOf).join('\n'),
  };
}

/** The JUnit report of pytest. The parser is loaded when there is one to read. */
export async function readJunitReport(report: string): Promise<readonly TestRecord[]> {
  const { XMLParser, XMLValidator } = await import('fast-xml-parser');
  if (XMLValidator.validate(report) !== true) throw new Error('the report is not a whole XML document');
  const parser = new XMLParser({
    ignoreAttributes: false,
    attributeNamePrefix: '@',
    parseAttributeValue: false,
    parseTagValue: false,
    alwaysCreateTextNode: true,
  });
  const document: unknown = parser.parse(report);
  const suites = [...list(member(member(document, 'testsuites'), 'testsuite')), ...list(member(document, 'testsuite'))];
  return suites.flatMap((suite) => list(member(suite, 'testcase'))).map(recordOf);
}

const statusOf = (word: unknown): TestRecord['status'] => (word === 'passed' || word === 'skipped' ? word : 'failed');
const pathOf = (file: string): string => (file.startsWith('file:') ? fileURLToPath(file) : file);

/** Lines of the reporter for node --test. */
function readNodeReport(report: string): readonly TestRecord[] {
  return report
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => {
      const record: unknown = JSON.parse(line);
      return {
        name: text(member(record, 'name')),
        file: pathOf(text(member(record, 'file'))),
        line: number(member(record, 'line')),
        status: statusOf(member(record, 'status')),
        durationMs: number(member(record, 'durationMs')) ?? 0,
        message: text(member(record, 'message')),
      };
    });
}

/** A shell, and npm through one, end with this code when there is no such program. */
const SHELL_NOT_FOUND = 127;
/**
 * Lines of a command without a report that are passed on as output; later ones only show that it is
 * alive.
 */
const MAX_OUTPUT_LINES = 500;

export interface TestRun {
  /** Root of the repository. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** As configured: a line, or a list of words; null = look for it in the repository. */
  readonly command: string | readonly string[] | null;
  /**
   * Private, empty directory outside the repository, for reports and caches; the caller removes it.
   */
  readonly reportDir: string;
  /** URL of the compiled node-reporter module. */
  readonly nodeReporter: string;
  readonly write: (line: Record<string, unknown>) => void;
}

/** Vitest's JSON reporter says where it wrote to. */
const WRITTEN_TO = /^JSON report written to (.+)$/;

async function readReport(framework: Framework, path: string): Promise<readonly TestRecord[] | null> {
  if (!existsSync(path)) return null;
  const report = await readFile(path, 'utf8');
  try {
    switch (framework) {
      case 'node:test':
        return readNodeReport(report);
      case 'vitest':
      case 'jest':
        return readJestReport(report);
      case 'pytest':
        return await readJunitReport(report);
    }
  } catch {
    // A report that was cut short proves nothing: better no numbers than wrong ones.
    return null;
  }
}

function fail(run: TestRun, reason: string, message: string): number {
  run.write({ type: 'error', reason, message });
  return 2;
}

async function execute(run: TestRun, shown: string, invocation: Invocation, report: string): Promise<number> {
  const { framework } = invocation;
  let passedOn = 0;
  // An `outputFile` in the project's own reporter options wins over ours, in every version of
  // Vitest.
  let place = report;
  const ran = await runCommand({
    argv: invocation.argv,
    cwd: run.cwd,
    env: { ...run.env, ...invocation.env, ...joinNodeOptions(run.env, invocation.env) },
    onLine: (line) => {
      passedOn += 1;
      const written = framework === 'vitest' ? WRITTEN_TO.exec(line)?.[1] : undefined;
      if (written !== undefined) place = resolve(run.cwd, written.trim());
      run.write({ type: framework === null && passedOn <= MAX_OUTPUT_LINES ? 'output' : 'progress', line });
    },
  });
  if (!ran.ok) return fail(run, ran.reason, ran.message);
  const found = framework === null ? null : await readReport(framework, existsSync(report) ? report : place);
  if (found === null && ran.end.exitCode === SHELL_NOT_FOUND) {
    return fail(run, 'command_not_found', `"${shown}" ended with 127, program not found: ${ran.end.tail.at(-1) ?? ''}`);
  }
  const root = realpathSync(run.cwd);
  const tests = found?.map((test) => ({ ...test, file: relativeFile(root, test.file) })) ?? null;
  for (const test of tests ?? []) run.write(testLine(test));
  run.write(summaryLine({ command: shown, framework, end: ran.end, tests }));
  return 0;
}

/** Options that the caller already gives to Node stay. */
function joinNodeOptions(outer: NodeJS.ProcessEnv, own: Invocation['env']): NodeJS.ProcessEnv {
  const joined = [outer.NODE_OPTIONS, own.NODE_OPTIONS].filter((options) => options !== undefined && options !== '');
  return joined.length === 0 ? {} : { NODE_OPTIONS: joined.join(' ') };
}

/**
 * Runs the tests and writes what happened, one JSON object a line, the last a `summary` or an
 * `error`. Returns the exit code: 0 whenever the command ran to its end, whatever its tests said; 2
 * when it could not.
 */
export async function runTests(run: TestRun): Promise<number> {
  const repository = inspectRepository(run.cwd);
  const command = run.command ?? repository.testCommand;
  if (command === null || command.length === 0) {
    return fail(
      run,
      'no_test_command',
      "no test command was found in the repository; name one as `command` in the archetype's executor.config",
    );
  }
  const report = join(run.reportDir, 'report');
  const invocation = instrument(command, repository.scripts, {
    report,
    cache: join(run.reportDir, 'cache'),
    nodeReporter: run.nodeReporter,
  });
  return execute(run, typeof command === 'string' ? command : command.join(' '), invocation, report);
}
