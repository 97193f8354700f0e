import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { isRunning, processesWith, startWorker, type TestWorker, until } from '../../support/processes.js';

/**
 * The child, a grandchild in its group, and one that forked twice and left group and session; each
 * reports for itself.
 */
const FAMILY = `
  (echo grandchild; exec sleep 300) &
  setsid sh -c '(echo escaped; exec sleep 300) & exit 0' &
  echo child; wait; exec sleep 300`;

const workers: TestWorker[] = [];
const start = async (leaseMs: number): Promise<{ worker: TestWorker; mark: string; untilMs: number }> => {
  const mark = `KIT_TEST_MARK=${randomUUID()}`;
  const worker = startWorker(leaseMs, mark.slice('KIT_TEST_MARK='.length), FAMILY);
  workers.push(worker);
  const reports = [await worker.next(), await worker.next(), await worker.next()];
  expect(reports.map((report) => report.line).sort()).toEqual(['child', 'escaped', 'grandchild']);
  await until('all three run', () => processesWith(mark).length === 3);
  return { worker, mark, untilMs: Number(reports[0]?.until) };
};

describe.skipIf(!existsSync('/proc/self/environ'))('a worker that dies', () => {
  afterEach(() => {
    for (const { process: worker } of workers.splice(0)) worker.kill('SIGKILL');
  });

  it('leaves no descendant alive after SIGKILL, also none that changed group and session', async () => {
    // Its lease outlives the test.
    const { worker, mark } = await start(600_000);
    const supervisors = supervisorsOf(worker);

    worker.process.kill('SIGKILL');
    const killedAt = performance.now();
    await until('no descendant is alive', () => processesWith(mark).length === 0);

    console.log(`descendants gone ${Math.round(performance.now() - killedAt)} ms after SIGKILL of the worker`);
    await until('the supervisor has gone too', () => !supervisors.some(isRunning));
  });

  it('leaves no descendant alive after SIGSTOP when its lease ends, and none is killed before', async () => {
    const { worker, mark, untilMs } = await start(4_000);

    worker.process.kill('SIGSTOP');
    for (;;) {
      const alive = processesWith(mark).length;
      // Only what was seen well before the end of the lease counts, however long the look took.
      if (Date.now() >= untilMs - 500) break;
      expect(alive).toBe(3);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    await until('no descendant is alive', () => processesWith(mark).length === 0);

    console.log(`descendants gone ${Date.now() - untilMs} ms after the lease of the stopped worker`);
  });

  it('learns from the supervisor that the lease was over', async () => {
    const { worker, mark } = await start(3_000);

    const result = await worker.next();

    expect(result).toMatchObject({ ended: 'aborted', signal: 'SIGKILL', exitCode: null });
    expect(processesWith(mark)).toHaveLength(0);
  });
});

/** Those of another checkout are not ours. */
function supervisorsOf(worker: TestWorker): readonly number[] {
  return processesWith(join(import.meta.dirname, '../../../src/system/processes/supervisor.')).filter(
    (pid) => pid !== worker.process.pid,
  );
}
