import { expect, it } from 'vitest';
import type { StepRow } from '../../../src/domain/journal.js';
import { finishedWork } from '../../../src/engine/memory/finished-work.js';
import { agent } from '../../support/run-world.js';

const row = (key: string, agentId: string, output: string | null, kind: StepRow['kind'] = 'activation'): StepRow =>
  ({
    key,
    kind,
    agentId,
    outcome: output === null ? { status: 'failed', reason: 'x', message: 'x' } : { status: 'ok', value: { output } },
  }) as StepRow;
const root = agent('root', { children: [agent('child')] });
const LONG = 'x'.repeat(30);

it('takes what ended well, is long enough and comes from an agent of the topology', () => {
  const rows = [
    row('root', 'root', LONG),
    row('root/d0/t0', 'root', LONG, 'model'),
    row('root/d0/t0/c0:child', 'child', `${LONG} child`),
    row('root/d0/t0/c1:child', 'child', null),
    row('root/d0/t0/c2:child', 'child', 'short'),
    row('root/review', 'reviewer', LONG),
  ];

  expect(finishedWork(rows, { root, minLength: 20 })).toEqual([
    { agent: 'root', output: LONG },
    { agent: 'child', output: `${LONG} child` },
  ]);
});

it('leaves out what belongs to a draft that was sent back', () => {
  const rows = [
    row('root', 'root', LONG),
    row('root/d0/t0/c0:child', 'child', `${LONG} rejected`),
    row('root/d1/t0/c0:child', 'child', `${LONG} approved`),
  ];

  expect(finishedWork(rows, { root, minLength: 20 }).map(({ output }) => output)).toEqual([LONG, `${LONG} approved`]);
});

it('is bounded, whatever a run has written', () => {
  const rows = Array.from({ length: 20 }, (_, n) => row(`root/d0/t${n}/c0:child`, 'child', 'y'.repeat(100_000)));

  expect(finishedWork(rows, { root, minLength: 20 }).reduce((sum, { output }) => sum + output.length, 0)).toBe(24_000);
});
