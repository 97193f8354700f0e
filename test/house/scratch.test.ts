import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, describe, expect, it } from 'vitest';
import { projectRoot } from '../support/kit-process.js';
import { isRunning, until } from '../support/processes.js';

/** As a test run: opens a scratch directory, starts a process that it owns, tells both. */
const RUN = `
import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
const { openScratch } = await import(${JSON.stringify(join(projectRoot, 'scripts/lib/scratch.mjs'))});
const scratch = await openScratch();
const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { env: scratch.env });
scratch.owns(child);
mkdirSync(scratch.directory + '/world');
writeFileSync(scratch.directory + '/world/file', 'kept as long as the run');
console.log(JSON.stringify({ directory: scratch.directory, temp: scratch.env.TMPDIR, pid: child.pid }));
process.stdin.once('data', async () => {
  child.kill();
  await scratch.close();
  process.exit(0);
}).resume();
`;

describe('the scratch directory of a test run', () => {
  let run: ChildProcess | undefined;
  afterEach(() => run?.kill('SIGKILL'));

  async function started() {
    run = spawn(process.execPath, ['--input-type=module', '-e', RUN], { stdio: ['pipe', 'pipe', 'inherit'] });
    const { stdout, stdin } = run;
    if (stdout === null || stdin === null) throw new Error('the streams are piped');
    for await (const line of createInterface({ input: stdout })) {
      const { directory, temp, pid } = JSON.parse(line) as { directory: string; temp: string; pid: number };
      return { run, directory, temp, pid, stdin };
    }
    throw new Error('nothing was told');
  }

  it('is the TMPDIR of the run, is closed to others, and is gone when the run has ended', async () => {
    const { run, directory, temp, stdin } = await started();
    expect(temp).toBe(directory);
    expect(statSync(directory).mode & 0o777).toBe(0o711);

    stdin.write('end\n');
    await once(run, 'exit');

    expect(existsSync(directory)).toBe(false);
  });

  it.each(['SIGKILL', 'SIGTERM', 'SIGINT'] as const)(
    'goes with what runs in it when the run dies of %s',
    async (signal) => {
      const { run, directory, pid } = await started();
      expect(isRunning(pid)).toBe(true);

      run.kill(signal);

      await until('the directory is gone', () => !existsSync(directory), 30_000);
      expect(isRunning(pid)).toBe(false);
    },
    60_000,
  );
});
