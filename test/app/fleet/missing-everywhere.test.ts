import { describe, expect, it } from 'vitest';
import { claimantsOf, missingEverywhere } from '../../../src/app/fleet/missing-everywhere.js';
import type { Claimant } from '../../../src/app/runs/blocked-by.js';
import type { WaitingKind } from '../../../src/domain/ports/serving.js';
import { seenOf } from '../../support/fleet-samples.js';

const ADAPTER = 'a'.repeat(64);
const JOB: WaitingKind = {
  engine: 2,
  jobClass: 'harness',
  needs: { plugins: { 'acme-runner': '^1.2.0' }, adapters: { coder: ADAPTER }, workspace: 'shop' },
};
const ABLE: Claimant = {
  engine: 2,
  jobClass: 'any',
  offers: { plugins: { 'acme-runner': '1.4.1' }, adapters: { coder: ADAPTER }, workspace: 'shop' },
};

describe('what nobody alive has', () => {
  it('is nothing as soon as one can claim the job', () => {
    expect(missingEverywhere(JOB, [{ ...ABLE, engine: 1 }, ABLE])).toEqual([]);
    expect(missingEverywhere(JOB, [{ ...ABLE, jobClass: 'harness' }])).toEqual([]);
  });

  it.each<[string, Partial<Claimant>, string]>([
    ['engine', { engine: 1 }, 'it goes on with kit engine 2, and this is engine 1'],
    ['class', { jobClass: 'model' }, 'it is of the class harness, and only the class model is claimed'],
    ['plugin', { offers: { ...ABLE.offers, plugins: {} } }, 'the plugin acme-runner ^1.2.0 is not installed'],
    [
      'plugin, which is there now',
      { offers: { ...ABLE.offers, plugins: {}, pluginsSince: { 'acme-runner': '1.4.1' } } },
      'the plugin acme-runner ^1.2.0 was installed after this process started, which has to be started again',
    ],
    [
      'plugin, which was updated since',
      { offers: { ...ABLE.offers, plugins: { 'acme-runner': '1.0.0' }, pluginsSince: { 'acme-runner': '1.2.0' } } },
      'the plugin acme-runner ^1.2.0 was installed after this process started, which has to be started again',
    ],
    [
      'plugin, which was updated to less than it takes',
      { offers: { ...ABLE.offers, plugins: {}, pluginsSince: { 'acme-runner': '1.1.0' } } },
      'the plugin acme-runner ^1.2.0 is not installed',
    ],
    [
      'adapter',
      { offers: { ...ABLE.offers, adapters: {} } },
      'the adapter coder with the digest aaaaaaaaaaaa is not there, or nobody approved it here',
    ],
    [
      'workspace',
      { offers: { ...ABLE.offers, workspace: 'other' } },
      'it is one of the workspace shop, and this is other',
    ],
  ])('is said in words: %s', (_, over, clause) => {
    expect(missingEverywhere(JOB, [{ ...ABLE, ...over }])).toEqual([clause]);
  });

  it('is what the one lacks that comes nearest', () => {
    const bare: Claimant = { engine: 1, jobClass: 'model', offers: { plugins: {}, adapters: {}, workspace: 'shop' } };

    expect(missingEverywhere(JOB, [bare, { ...ABLE, engine: 3 }])).toEqual([
      'it goes on with kit engine 2, and this is engine 3',
    ]);
    expect(missingEverywhere(JOB, [bare])).toHaveLength(4);
  });

  it('is everybody where no one is alive that claims', () => {
    expect(missingEverywhere(JOB, [])).toEqual(['no server or worker is alive that claims runs']);
  });
});

describe('who claims', () => {
  it('is neither an api process, nor one that drains, nor one that has fallen silent', () => {
    const able = seenOf({ id: 'able' });

    expect(
      claimantsOf([
        able,
        seenOf({ kind: 'api', concurrency: 0 }),
        seenOf({ concurrency: 0, active: 2 }),
        seenOf({ isAlive: false }),
      ]),
    ).toEqual([able]);
  });
});
