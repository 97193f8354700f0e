import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runProgram } from '../../src/system/run-program.js';

let cwd: string;
beforeEach(async () => {
  cwd = await mkdtemp(join(tmpdir(), 'kit-program-'));
});
afterEach(() => rm(cwd, { recursive: true, force: true }));

const env = { PATH: process.env.PATH ?? '' };
const shell = (script: string, more: Partial<Parameters<typeof runProgram>[1]> = {}) =>
  runProgram(['sh', '-c', script], { cwd, env, timeoutMs: 60_000, ...more });

describe('a program that is not supervised', () => {
  it('answers with its exit code and all that it said, to the last newline', async () => {
    expect(await shell('echo one; echo two >&2; exit 3')).toEqual({
      code: 3,
      stdout: 'one\n',
      stderr: 'two\n',
      failure: null,
    });
  });

  it('reads what it is given, and nothing where it is given nothing', async () => {
    expect((await shell('cat', { input: 'text' })).stdout).toBe('text');
    expect((await shell('cat; echo end')).stdout).toBe('end\n');
  });

  it('sees the given environment alone', async () => {
    const { stdout } = await shell('env', { env: { PATH: env.PATH, ONE: '1' } });
    const names = stdout.split('\n').map((line) => line.split('=')[0]);
    expect(names).toContain('ONE');
    expect(names).not.toContain('HOME');
  });

  it('may take as long as it takes', async () => {
    expect((await shell('sleep 0.1; echo end', { timeoutMs: null })).stdout).toBe('end\n');
  });

  it.each([
    ['is not there', () => runProgram(['kit-no-such-program'], { cwd, env, timeoutMs: 60_000 }), true],
    ['is ended by a signal', () => shell('kill -KILL $$'), false],
    ['takes too long', () => shell('exec sleep 60', { timeoutMs: 100, killSignal: 'SIGKILL' }), false],
    ['says too much', () => shell('yes', { maxBytes: 1_000 }), false],
  ])('has no exit code and a reason where it %s', async (_name, call, isAbsent) => {
    const { code, failure } = await call();
    expect(code).toBeNull();
    expect(failure).toMatchObject({ isAbsent, message: expect.stringMatching(/./) });
  });

  it('leaves the signals and the end of this process to kit', async () => {
    const events = ['SIGTERM', 'SIGINT', 'SIGHUP', 'exit'] as const;
    const counts = () => events.map((event) => process.listenerCount(event));
    const [before, emit] = [counts(), process.emit];
    const ended = shell('touch started; while [ ! -e go ]; do sleep 0.02; done');
    await expect.poll(() => existsSync(join(cwd, 'started'))).toBe(true);

    expect(counts()).toEqual(before);
    expect(process.emit).toBe(emit);
    await writeFile(join(cwd, 'go'), '');
    expect((await ended).code).toBe(0);
  });
});
