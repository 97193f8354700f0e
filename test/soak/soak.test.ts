import { expect, it } from 'vitest';
import { seed } from '../support/crash-share.js';
import { soak } from './soak.js';

/** A share of `npm run soak`: the same code, fewer runs, a shorter pause between two disturbances. */
it('nothing is lost and nothing comes twice while an api, its workers and their database are killed, stopped and cut off', async () => {
  const { findings, figures } = await soak({
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
  });

  process.stdout.write(`soak, seed ${seed()}: ${JSON.stringify(figures)}\n`);
  expect(findings.filter(({ violations }) => violations.length > 0)).toEqual([]);
  expect(figures).toMatchObject({ accepted: 40 });
}, 300_000);
