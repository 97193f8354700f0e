import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { afterEach, describe, expect, it } from 'vitest';
import { makeProject, type Project, runIn } from './test-project.js';

let project: Project | undefined;
const open = (...args: Parameters<typeof makeProject>): Project => {
  project = makeProject(...args);
  return project;
};
afterEach(() => {
  project?.remove();
  project = undefined;
});

const NODE_TESTS = `
import test, { describe, it } from 'node:test';
import assert from 'node:assert';
describe('sums', () => {
  it('adds', () => assert.equal(1 + 1, 2));
  it('is wrong', () => assert.equal(1 + 1, 3));
});
test('later', { skip: true }, () => {});
`;
const VITEST_TESTS = `
import { describe, expect, it } from 'vitest';
describe('sums', () => {
  it('adds', () => expect(1 + 1).toBe(2));
  it('is wrong', () => expect(1 + 1).toBe(3));
  it.skip('later', () => {});
});
`;
const manifest = (test: string, more: Record<string, string> = {}): string =>
  JSON.stringify({ type: 'module', scripts: { test, ...more } });
const COUNTS = { total: 3, passed: 1, failed: 1, skipped: 1, exit_code: 1, outcome: 'failed' };

describe('node --test', () => {
  it.each([
    ['a direct call', 'node --test', 'node --test'],
    ['npm test', 'npm test', 'node --test'],
    ['a list of words', ['node', '--test', 'a.test.js'], 'node --test'],
    ['the command found in the repository', null, 'node --test'],
    ['a script with its own reporter', null, 'node --test --test-reporter=dot'],
    ['a script after another step', null, 'node -e 1 && node --test'],
  ])('reports each test of %s', async (_what, command, script) => {
    const { code, tests, last } = await runIn(
      open({ 'package.json': manifest(script), 'a.test.js': NODE_TESTS }),
      command,
    );

    expect(code).toBe(0);
    expect(last).toMatchObject({ type: 'summary', framework: 'node:test', ...COUNTS });
    expect(tests.map((test) => [test.name, test.file, test.status])).toEqual([
      ['sums > adds', 'a.test.js', 'passed'],
      ['sums > is wrong', 'a.test.js', 'failed'],
      ['later', 'a.test.js', 'skipped'],
    ]);
    expect(last.failures).toEqual([
      { name: 'sums > is wrong', file: 'a.test.js', line: 6, message: expect.stringMatching(/2 ={2,3} 3|2 !== 3/) },
    ]);
  });

  it('counts as Node itself counts, also a file that does not load', async () => {
    const files = {
      'package.json': manifest('node --test'),
      'a.test.js': NODE_TESTS,
      'b.test.js': 'import "./gone.js";',
    };

    const { last, lines } = await runIn(open(files));

    const said = lines.map((line) => String(line.line ?? ''));
    const count = (word: string): number =>
      Number(
        said
          .find((line) => new RegExp(`^ℹ ${word} \\d`).test(line))
          ?.split(' ')
          .at(-1),
      );
    expect(last).toMatchObject({
      total: count('tests'),
      passed: count('pass'),
      failed: count('fail'),
      skipped: count('skipped'),
    });
    expect(last.failed).toBe(2);
  });

  it('leaves other Node programs of the script alone', async () => {
    const script = 'node -e "console.log(123)" && node --test';

    const { lines, last } = await runIn(open({ 'package.json': manifest(script), 'a.test.js': NODE_TESTS }));

    expect(lines).toContainEqual({ type: 'progress', line: '123' });
    expect(last).toMatchObject(COUNTS);
  });
});

describe('vitest', () => {
  const config = { 'vitest.config.js': 'export default { test: { reporters: ["dot"] } };' };

  it.each([
    ['a direct call', 'vitest run'],
    ['npx', 'npx vitest run'],
    ['npm test', 'npm test'],
    ['a script that names another', 'npm run check'],
  ])('reports each test of %s', async (_what, command) => {
    const files = {
      'package.json': manifest('vitest run', { check: 'npm test' }),
      'a.test.js': VITEST_TESTS,
      ...config,
    };

    const { code, tests, last } = await runIn(open(files, { modules: true }), command);

    expect(code).toBe(0);
    expect(last).toMatchObject({ type: 'summary', command, framework: 'vitest', ...COUNTS });
    expect(tests.map((test) => [test.name, test.file, test.status])).toEqual([
      ['sums > adds', 'a.test.js', 'passed'],
      ['sums > is wrong', 'a.test.js', 'failed'],
      ['sums > later', 'a.test.js', 'skipped'],
    ]);
    expect(last.failures).toEqual([
      { name: 'sums > is wrong', file: 'a.test.js', line: 5, message: expect.stringContaining('expected 2 to be 3') },
    ]);
  });

  it('finds the report that the configuration of the project sends elsewhere', async () => {
    const own = {
      'vitest.config.js': 'export default { test: { reporters: ["default", ["json", { outputFile: "own.json" }]] } };',
    };

    const { last } = await runIn(
      open({ 'package.json': manifest('vitest run'), 'a.test.js': VITEST_TESTS, ...own }, { modules: true }),
    );

    expect(last).toMatchObject({ framework: 'vitest', ...COUNTS });
  });

  it('counts a file that does not load as a failure that bears its name', async () => {
    const files = {
      'package.json': manifest('vitest run'),
      'a.test.js': VITEST_TESTS,
      'b.test.js': 'import "./gone.js";',
    };

    const { last } = await runIn(open(files, { modules: true }));

    expect(last).toMatchObject({ total: 4, failed: 2 });
    expect(last.failures).toContainEqual(
      expect.objectContaining({ file: 'b.test.js', name: '(the file did not load)' }),
    );
  });

  it('changes its result when one check is broken and fixed again', async () => {
    const repo = open(
      { 'package.json': manifest('vitest run'), 'a.test.js': VITEST_TESTS.replace('toBe(3)', 'toBe(2)') },
      { modules: true },
    );
    const sound = await runIn(repo);
    repo.write('a.test.js', VITEST_TESTS);

    const broken = await runIn(repo);

    expect(sound.last).toMatchObject({ outcome: 'passed', exit_code: 0, passed: 2, failed: 0, failures: [] });
    expect(broken.last).toMatchObject({ outcome: 'failed', exit_code: 1, passed: 1, failed: 1 });
  });
});

describe('pytest', () => {
  const hasPytest = spawnSync('pytest', ['--version']).status === 0;
  const files = {
    'pytest.ini': '[pytest]\n',
    'test_sums.py':
      'import pytest\n\n\ndef test_adds():\n    assert 1 + 1 == 2\n\n\ndef test_is_wrong():\n    assert 1 + 1 == 3\n\n\n@pytest.mark.skip\ndef test_later():\n    pass\n',
  };

  // Without pytest on this machine the recorded report below is what is left of the proof.
  it.skipIf(!hasPytest)('reports each test of a real run and leaves nothing behind', async () => {
    const repo = open(files);

    const { last, tests } = await runIn(repo, null, { HOME: process.env.HOME });

    expect(last).toMatchObject({ type: 'summary', framework: 'pytest', ...COUNTS });
    expect(tests.map((test) => [test.name, test.file, test.status])).toEqual([
      ['test_sums > test_adds', 'test_sums.py', 'passed'],
      ['test_sums > test_is_wrong', 'test_sums.py', 'failed'],
      ['test_sums > test_later', 'test_sums.py', 'skipped'],
    ]);
    expect(last.failures).toEqual([
      {
        name: 'test_sums > test_is_wrong',
        file: 'test_sums.py',
        line: 8,
        message: expect.stringContaining('assert (1 + 1) == 3'),
      },
    ]);
    // Caches would show up in the diff of the worktree. (Third-party plugins of this machine's
    // pytest may leave files of their own.)
    const left = readdirSync(repo.root);
    expect(left).not.toContain('.pytest_cache');
    expect(left).not.toContain('__pycache__');
  });
});

describe('jest', () => {
  const hasJest = spawnSync('jest', ['--version']).status === 0;

  // Jest is not a dependency of kit: without one on the PATH its recorded report in reports.test.ts
  // is the proof.
  it.skipIf(!hasJest)('reports each test of a real run', async () => {
    const tests =
      "it('adds', () => expect(1 + 1).toBe(2)); it('is wrong', () => expect(1 + 1).toBe(3)); it.skip('later', () => {});";

    const { last } = await runIn(open({ 'package.json': '{"scripts":{"test":"jest"}}', 'a.test.js': tests }));

    expect(last).toMatchObject({ type: 'summary', framework: 'jest', ...COUNTS });
  });
});

describe('any other command', () => {
  it('gives its lines and exit code and claims no counts', async () => {
    const { code, lines, last } = await runIn(open({}), ['sh', '-c', 'echo one; echo two >&2; exit 3']);

    expect(code).toBe(0);
    expect(lines.slice(0, -1)).toEqual(
      expect.arrayContaining([
        { type: 'output', line: 'one' },
        { type: 'output', line: 'two' },
      ]),
    );
    expect(last).toEqual({
      type: 'summary',
      command: 'sh -c echo one; echo two >&2; exit 3',
      framework: null,
      exit_code: 3,
      duration_ms: expect.any(Number),
      outcome: 'failed',
      outcome_text: 'exit code 3',
      output_lines: 2,
      output_tail: expect.arrayContaining(['one', 'two']),
    });
  });

  it('gives a line with shell syntax to the shell', async () => {
    const { last } = await runIn(open({}), 'echo a | tr a b && true');

    expect(last).toMatchObject({ outcome: 'passed', output_tail: ['b'] });
  });

  it('claims no counts for a known runner that wrote no report', async () => {
    const { last } = await runIn(open({ 'package.json': manifest('node --test --no-such-option') }));

    expect(last).toMatchObject({ type: 'summary', framework: 'node:test', outcome: 'failed', exit_code: 9 });
    expect(last).not.toHaveProperty('total');
  });

  it('keeps only the end of a long output', async () => {
    const { lines, last } = await runIn(open({}), 'seq 1 2000');

    expect(lines.filter((line) => line.type === 'output')).toHaveLength(500);
    expect(last).toMatchObject({ output_lines: 2000 });
    expect((last.output_tail as string[]).at(-1)).toBe('2000');
    expect(last.output_tail).toHaveLength(40);
  });

  it('joins split characters and survives a line without end', async () => {
    const { last } = await runIn(open({}), [
      'node',
      '-e',
      'const b = Buffer.from("é".repeat(9)); for (const x of b) process.stdout.write(Buffer.from([x]))',
    ]);

    expect(last.output_tail).toEqual(['é'.repeat(9)]);
  });

  it('does not wait for a grandchild that holds the pipe', async () => {
    const { last } = await runIn(open({}), ['sh', '-c', 'sleep 300 & echo $!']);

    // It lives, so nobody waited for its end.
    process.kill(Number((last.output_tail as string[])[0]), 'SIGKILL');
  });
});

describe('a command that cannot run', () => {
  it.each([
    ['nothing to run', {}, null, 'no_test_command'],
    [
      'the placeholder of npm init',
      { 'package.json': manifest('echo "Error: no test specified" && exit 1') },
      null,
      'no_test_command',
    ],
    ['a program that is not there', {}, 'no-such-program --x', 'command_not_found'],
    ['a script whose program is not there', { 'package.json': manifest('no-such-program') }, null, 'command_not_found'],
    ['a command that is killed', {}, ['sh', '-c', 'kill -9 $$'], 'command_signal'],
  ])('is an error: %s', async (_what, files, command, reason) => {
    const { code, last } = await runIn(open(files), command);

    expect(code).toBe(2);
    expect(last).toMatchObject({ type: 'error', reason, message: expect.stringMatching(/./) });
  });
});

it('has a reporter that imports nothing, so that any Node can load it', () => {
  const source = readFileSync(
    new URL('../../../plugins/harness/src/test-runner/node-reporter.ts', import.meta.url),
    'utf8',
  );

  expect(source).not.toMatch(/^import|import\(|require\(/m);
});
