import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';

const run = promisify(execFile);
const script = new URL('../../scripts/count-tests.mjs', import.meta.url);

const report = (passed: number, testResults: unknown[] = []): object => ({
  numPassedTests: passed,
  numFailedTests: testResults.length,
  testResults,
});

/** What the script prints, and how it ends, over reports that were written before it. */
async function countsOver(files: Record<string, object>): Promise<{ code: number; lines: string[] }> {
  const root = await mkdtemp(join(tmpdir(), 'kit-count-'));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  await mkdir(join(root, 'scripts'));
  await cp(script, join(root, 'scripts', 'count-tests.mjs'));
  for (const [name, body] of Object.entries(files)) await writeFile(join(root, name), JSON.stringify(body));
  return run(process.execPath, [join(root, 'scripts', 'count-tests.mjs')]).then(
    ({ stdout }) => ({ code: 0, lines: stdout.trimEnd().split('\n') }),
    (error: { code: number; stdout: string }) => ({ code: error.code, lines: error.stdout.trimEnd().split('\n') }),
  );
}

const whole = {
  '.test-report.json': report(5),
  '.test-long-report.json': report(3),
  '.test-measures-report.json': report(1),
  '.test-phases.json': { failed: [] },
  '.test-long-phases.json': { failed: [] },
  '.test-measures-phases.json': { failed: [] },
};

describe('the count of the tests', () => {
  it('is one line where all passed', async () => {
    expect(await countsOver(whole)).toEqual({ code: 0, lines: ['9 passed, 0 failed'] });
  });

  it('names each failed test with the beginning of its message', async () => {
    const failed = {
      name: 'test/some.test.ts',
      message: '',
      assertionResults: [
        { status: 'passed', fullName: 'a thing works', failureMessages: [] },
        { status: 'failed', fullName: 'a thing ends', failureMessages: ['\u001b[31mexpected 1\u001b[39m to be 2'] },
      ],
    };
    const { code, lines } = await countsOver({
      ...whole,
      '.test-long-report.json': report(2, [failed]),
      '.test-long-phases.json': { failed: ['long tests'] },
    });
    expect(code).toBe(1);
    expect(lines[0]).toContain('test/some.test.ts: a thing ends');
    expect(lines.slice(1)).toEqual(['    expected 1 to be 2', '8 passed, 1 failed']);
  });

  it('counts a phase that failed and a report that is missing', async () => {
    const { '.test-measures-phases.json': _phases, '.test-measures-report.json': _report, ...rest } = whole;
    const { code, lines } = await countsOver({ ...rest, '.test-phases.json': { failed: ['lint'] } });
    expect(code).toBe(1);
    expect(lines).toEqual(['failed: phase lint', 'failed: phase all', '8 passed, 2 failed']);
  });
});
