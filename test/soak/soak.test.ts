import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { processesOf } from '../e2e/world.js';
import { seed } from '../support/crash-share.js';
import { soak } from './soak.js';

const SHARE = {
  runs: 40,
  seed: seed(),
  minutes: 3,
  workers: 4,
  leaseSeconds: 5,
  concurrency: 8,
  lines: 4,
  everyMs: 3_000,
  inFlight: 24,
  isAuditElsewhere: false,
  keepsFailure: false,
  tell: () => undefined,
};

/**
 * A share of `npm run soak`: the same code, fewer runs, a shorter pause between two disturbances.
 */
it('nothing is lost and nothing comes twice while an api, its workers and their database are killed, stopped and cut off', async () => {
  const { findings, figures } = await soak(SHARE);

  process.stdout.write(`soak, seed ${seed()}: ${JSON.stringify(figures)}\n`);
  // A report of a failure shows the sentences of a list, and nothing of the objects in it.
  expect(findings.flatMap(({ check, violations }) => violations.map((one) => `${check}: ${one}`))).toEqual([]);
  expect(figures).toMatchObject({ accepted: 40 });
}, 300_000);

it('a soak that is given up in the midst of a disturbance leaves no process and no file', async () => {
  const temp = mkdtempSync(join(tmpdir(), 'kit-given-up-'));
  // The account of the database server has to get through.
  chmodSync(temp, 0o711);
  vi.stubEnv('TMPDIR', temp);
  try {
    const interrupted = new AbortController();
    const reported: string[] = [];
    const running: number[] = [];
    const report = (text: string): void => {
      reported.push(text);
      running.push(processesOf(temp).length);
      interrupted.abort('SIGINT');
    };
    await expect(
      soak({ ...SHARE, workers: 2, everyMs: 500, keepsFailure: true, signal: interrupted.signal, tell: report }),
    ).rejects.toBe('SIGINT');

    expect(reported).toHaveLength(1);
    expect(running[0]).toBeGreaterThan(3);
    expect(processesOf(temp)).toEqual([]);
    expect(readdirSync(temp).filter((name) => name !== 'node-compile-cache')).toEqual([]);
  } finally {
    vi.unstubAllEnvs();
    rmSync(temp, { recursive: true, force: true });
  }
}, 120_000);
