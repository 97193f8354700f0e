import { expect, it } from 'vitest';
import type { StepKind, StepRow } from '../../src/domain/journal.js';
import type { LinkedSkill } from '../../src/domain/linked-skill.js';
import { passingResults } from '../../src/engine/passing-results.js';
import { commandSkill } from '../support/run-world.js';
import { stepOf } from '../support/store-samples.js';

const unlogged = (id: string): LinkedSkill =>
  commandSkill(id, ['x'], { audit: { logInputs: 'full', logOutputs: 'none', redact: [] } });
const SKILLS = { fetch: commandSkill('fetch', ['x']), secret: unlogged('secret'), 'ask/it': unlogged('ask/it') };

const done = (key: string, kind: StepKind, over: Partial<StepRow> = {}): StepRow =>
  stepOf('0'.repeat(12), key, { kind, outcome: { status: 'ok', value: 'the result' }, ...over });
const keysOf = (rows: readonly StepRow[]) => passingResults(rows, SKILLS).map((one) => one.key);

it('names the results of skills that log none, and those of every step inside such a call', () => {
  const rows = [
    done('root', 'activation'),
    done('root/d0/t1', 'model'),
    done('root/d0/t1/c0:fetch', 'tool'),
    done('root/d0/t1/c1:secret', 'tool'),
    done('root/d0/t1/c2:ask%2Fit', 'skill'),
    done('root/d0/t1/c2:ask%2Fit/m0', 'model'),
    done('root/d0/t1/c10:secret', 'tool', {
      outcome: { status: 'failed', reason: 'exit_code', message: 'stderr', data: 'stderr' },
    }),
  ];

  expect(passingResults(rows, SKILLS)).toEqual([
    { key: 'root/d0/t1/c1:secret', outcome: { status: 'ok', value: null } },
    { key: 'root/d0/t1/c2:ask%2Fit', outcome: { status: 'ok', value: null } },
    { key: 'root/d0/t1/c2:ask%2Fit/m0', outcome: { status: 'ok', value: null } },
    {
      key: 'root/d0/t1/c10:secret',
      outcome: { status: 'failed', reason: 'exit_code', message: expect.not.stringContaining('stderr') },
    },
  ]);
});

it('leaves alone an agent that has the name of such a skill, steps in doubt, and what is gone already', () => {
  expect(
    keysOf([
      done('root/d0/t1/c0:secret', 'activation'),
      done('root/d0/t1/c0:secret/d0/t0', 'model'),
      done('root/d0/t2/c0:secret', 'tool', { outcome: null }),
      done('root/d0/t3/c0:secret', 'tool', { prunedAt: '2026-01-01T00:00:00.000Z' }),
      done('root/d0/t4/c0:constructor', 'tool'),
      done('root/d0/t5/secret', 'tool'),
    ]),
  ).toEqual([]);
});
