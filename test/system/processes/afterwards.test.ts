import { randomUUID } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { HurriedAbort, type ProcessSpec } from '../../../src/domain/ports/system.js';
import { createProcesses } from '../../../src/system/processes/processes.js';
import { processesWith, processSpec, shell, startWorker, TestLease, until } from '../../support/processes.js';

const processes = createProcesses({ graceMs: 300, drainMs: 100 });

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'kit-afterwards-'));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const file = (): string => join(dir, 'removed');
const removal = (script = `echo gone >> "${file()}"`): Pick<ProcessSpec, 'afterwards'> => ({
  afterwards: { argv: ['/bin/sh', '-c', script], timeoutMs: 5_000 },
});
const removed = (): string => (existsSync(file()) ? readFileSync(file(), 'utf8') : '');

/** Its end comes after the removal, which saw nothing of it alive. */
async function ended(spec: ProcessSpec, act: (stop: AbortController) => void = () => {}) {
  const stop = new AbortController();
  const child = processes.spawn(spec, new TestLease(), stop.signal);
  for await (const line of child.lines) if (line === 'ready') act(stop);
  return child.done;
}

it('is done when the program has ended, before its end is told', async () => {
  expect(await ended(shell('echo ready', removal()))).toMatchObject({ exitCode: 0, ended: null });
  expect(removed()).toBe('gone\n');
});

it.each([
  { name: 'an abort', reason: new Error('over') },
  { name: 'somebody who will not wait', reason: new HurriedAbort('hurry') },
])('is done after $name, once nothing that ignores signals is left', async ({ reason }) => {
  const mark = `KIT_TEST_MARK=${randomUUID()}`;
  const script = `test -z "$(grep -lz '${mark}' /proc/[0-9]*/environ 2>/dev/null | grep -v "/$$/" | grep -v self)" && echo gone >> "${file()}"`;
  const env = { PATH: process.env.PATH ?? '', KIT_TEST_MARK: '' };
  const spec = shell(`${mark} exec sh -c 'trap "" TERM INT; echo ready; while :; do sleep 1; done'`, {
    env,
    ...removal(script),
  });

  const result = await ended(spec, (stop) => stop.abort(reason));

  expect(result).toMatchObject({ ended: 'aborted' });
  expect(removed()).toBe('gone\n');
});

it('is done where the program could not be started', async () => {
  const child = processes.spawn(
    processSpec(['/nowhere/at/all'], removal()),
    new TestLease(),
    new AbortController().signal,
  );
  await expect(child.done).rejects.toThrow('cannot start');
  expect(removed()).toBe('gone\n');
});

it('holds nobody for longer than its time', async () => {
  const afterwards = { argv: ['/bin/sh', '-c', `echo gone >> "${file()}"; exec sleep 600`], timeoutMs: 300 } as const;

  expect(await ended(shell('echo ready', { afterwards }))).toMatchObject({ exitCode: 0 });

  expect(removed()).toBe('gone\n');
});

it.skipIf(!existsSync('/proc/self/environ'))('is done when kit is killed', async () => {
  const mark = randomUUID();
  const worker = startWorker(60_000, mark, 'trap "" TERM INT; echo begun; exec sleep 300', `echo gone >> "${file()}"`);
  await worker.next();

  worker.process.kill('SIGKILL');

  await until('what lives beyond it is removed', () => removed() === 'gone\n');
  expect(processesWith(mark)).toEqual([]);
});

/** As the monitor of a container is: in a session and with an environment of its own. */
const monitor = (word: string): string =>
  `setsid -f env -i /bin/sh -c 'trap "" TERM; while :; do /bin/sleep 1; done' monitor -n ${word}`;
const monitors = (word: string): number => {
  const isOne = (pid: string): boolean => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(word);
    } catch {
      return false;
    }
  };
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && isOne(pid)).length;
};

it.skipIf(!existsSync('/proc/self/cmdline'))(
  'leaves no monitor of a container whose client is killed before its runtime knows of it',
  async () => {
    const word = `kit-test-${randomUUID()}`;
    // The removal finds nothing, as that of a runtime that was not told.
    const worker = startWorker(60_000, randomUUID(), `${monitor(word)}; echo begun; exec sleep 300`, 'exit 1', word);
    await worker.next();
    expect(monitors(word)).toBeGreaterThan(0);

    worker.process.kill('SIGKILL');

    await until('the monitor is gone', () => monitors(word) === 0);
  },
);

it.skipIf(!existsSync('/proc/self/cmdline'))('leaves alone who only mentions the name', async () => {
  const word = `kit-test-${randomUUID()}`;
  const other = startWorker(60_000, randomUUID(), `echo "${word}"; exec sleep 300 # ${word}`);
  await other.next();
  const worker = startWorker(60_000, randomUUID(), 'echo begun; exec sleep 300', `echo gone >> "${file()}"`, word);
  await worker.next();

  worker.process.kill('SIGKILL');

  await until('the removal is done', () => removed() === 'gone\n');
  expect(other.process.exitCode).toBeNull();
  other.process.kill('SIGKILL');
});
