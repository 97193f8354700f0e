import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { instrument } from '../../../plugins/harness/src/test-runner/instrument.js';
import type { TestRecord } from '../../../plugins/harness/src/test-runner/records.js';
import { readJestReport } from '../../../plugins/harness/src/test-runner/report-jest.js';
import { readJunitReport } from '../../../plugins/harness/src/test-runner/run-tests.js';
import { lastPart, splitWords } from '../../../plugins/harness/src/test-runner/words.js';

const fixture = (name: string): string =>
  readFileSync(fileURLToPath(new URL(`../../fixtures/harness/reports/${name}`, import.meta.url)), 'utf8');
const rows = (tests: readonly TestRecord[]) => tests.map(({ name, file, line, status }) => [name, file, line, status]);

describe('recorded reports', () => {
  it('of jest give every test with its place, and a file that did not load', () => {
    const tests = readJestReport(fixture('jest-30.json'));

    expect(rows(tests).sort()).toEqual([
      ['(the file did not load)', '/repository/broken.test.js', null, 'failed'],
      ['sums > adds', '/repository/sums.test.js', 2, 'passed'],
      ['sums > even later', '/repository/sums.test.js', 5, 'skipped'],
      ['sums > is wrong', '/repository/sums.test.js', 3, 'failed'],
      ['sums > later', '/repository/sums.test.js', 4, 'skipped'],
    ]);
    expect(tests.find((test) => test.name === 'sums > is wrong')?.message).toContain('Expected: 3');
    expect(tests.find((test) => test.file.includes('broken'))?.message).toContain('gone.js');
  });

  it('of pytest give every test, errors of fixtures as failures, with its place from line 1', async () => {
    const tests = await readJunitReport(fixture('pytest.xml'));

    expect(rows(tests)).toEqual([
      ['test_sums > test_adds', 'test_sums.py', 9, 'passed'],
      ['test_sums > test_is_wrong', 'test_sums.py', 13, 'failed'],
      ['test_sums > test_errors', 'test_sums.py', 17, 'failed'],
      ['test_sums > test_later', 'test_sums.py', 21, 'skipped'],
      ['test_sums > test_known', 'test_sums.py', 26, 'skipped'],
      ['test_sums.TestGroup > test_in', 'test_sums.py', 32, 'passed'],
    ]);
    expect(tests[1]?.message).toContain('a < b & c');
  });

  it('that were cut short are not reports', async () => {
    expect(() => readJestReport(fixture('jest-30.json').slice(0, 200))).toThrow();
    await expect(readJunitReport(fixture('pytest.xml').slice(0, 700))).rejects.toThrow();
    await expect(readJunitReport(fixture('pytest.xml').replace('</testsuites>', ''))).rejects.toThrow();
  });
});

describe('how a command is started', () => {
  const places = { report: '/r', cache: '/c', nodeReporter: 'file:///n.js' };
  const of = (command: string | readonly string[], scripts: Record<string, string> = {}) =>
    instrument(command, scripts, places);
  const VITEST = ['--reporter=default', '--reporter=json', '--outputFile.json=/r'];
  const JEST = ['--json', '--outputFile=/r', '--testLocationInResults'];
  const PYTEST = ['--junitxml=/r', '-o', 'junit_family=xunit1', '-o', 'cache_dir=/c'];
  const NODE = [
    '--test-reporter=file:///n.js',
    '--test-reporter-destination=/r',
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
  ];

  it.each([
    ['vitest run a', {}, 'vitest', ['vitest', 'run', 'a', ...VITEST]],
    ['npx --no-install vitest', {}, 'vitest', ['npx', '--no-install', 'vitest', ...VITEST]],
    ['jest -- a', {}, 'jest', ['jest', ...JEST, '--', 'a']],
    [
      'node --experimental-vm-modules node_modules/jest/bin/jest.js',
      {},
      'jest',
      ['node', '--experimental-vm-modules', 'node_modules/jest/bin/jest.js', ...JEST],
    ],
    ['cross-env A=1 jest', {}, 'jest', ['cross-env', 'A=1', 'jest', ...JEST]],
    ['yarn jest', {}, 'jest', ['yarn', 'jest', ...JEST]],
    ['pnpm exec vitest', {}, 'vitest', ['pnpm', 'exec', 'vitest', ...VITEST]],
    ['python3 -m pytest -q', {}, 'pytest', ['python3', '-m', 'pytest', '-q', ...PYTEST]],
    ['uv run pytest', {}, 'pytest', ['uv', 'run', 'pytest', ...PYTEST]],
    ['node --test a.js', {}, 'node:test', ['node', ...NODE, '--test', 'a.js']],
    ['npm test', { test: 'tsc && vitest run' }, 'vitest', ['npm', 'test', '--', ...VITEST]],
    ['npm test -- a', { test: 'jest' }, 'jest', ['npm', 'test', '--', 'a', ...JEST]],
    ['pnpm test', { test: 'vitest' }, 'vitest', ['pnpm', 'test', ...VITEST]],
    ['npm test', { test: 'npm run unit', unit: 'jest' }, 'jest', ['npm', 'run', 'unit', '--', ...JEST]],
    ['npm test', { test: 'vitest run && echo done' }, null, ['npm', 'test']],
    ['npm test', { test: 'jest | tee log' }, null, ['npm', 'test']],
    ['npm test', { test: 'npm test' }, null, ['npm', 'test']],
    ['npm test', {}, null, ['npm', 'test']],
    ['node test.js --test', {}, null, ['node', 'test.js', '--test']],
    ['python3 script.py pytest', {}, null, ['python3', 'script.py', 'pytest']],
    ['vitest run | cat', {}, null, ['sh', '-c', 'vitest run | cat']],
  ])('%s with %j is %s', (command, scripts, framework, argv) => {
    expect(of(command, scripts as Record<string, string>)).toMatchObject({ framework, argv });
  });

  it('passes the options of node --test through npm by the environment', () => {
    const made = of('npm test', { test: 'node --test' });

    expect(made).toMatchObject({ framework: 'node:test', argv: ['npm', 'test'] });
    expect(made.env.NODE_OPTIONS).toBe(NODE.map((option) => `"${option}"`).join(' '));
  });

  it('takes leading assignments of a line as environment', () => {
    expect(of('TZ=UTC A= jest')).toMatchObject({ framework: 'jest', env: { TZ: 'UTC', A: '' } });
  });

  it('splits words as a shell would, or leaves the line to one', () => {
    expect(splitWords(`a 'b c' "d e" f''g ''`)).toEqual(['a', 'b c', 'd e', 'fg', '']);
    expect(['a | b', 'a $B', 'a "$B"', 'a; b', 'a *', "a 'b"].map(splitWords)).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
    ]);
    expect(lastPart('tsc -p . && node --test "test/**/*.js"')).toEqual(['node', '--test', 'test/__/_.js']);
    expect(lastPart('a & b')).toBeNull();
  });
});
