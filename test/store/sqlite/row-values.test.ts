import { expect, it } from 'vitest';
import { endValues, packedDigest, startValues } from '../../../src/store/sqlite/row-values.js';
import { END_STEP, START_STEP } from '../../../src/store/sqlite/sql/steps.js';
import { encodeStep, thinUsage } from '../../../src/store/step-row.js';
import { stepOf } from '../../support/store-samples.js';

const usage = { inputTokens: 1, cachedInputTokens: 0, outputTokens: 2, reasoningTokens: 0, costUsd: 3 };
const outcome = { inline: 'the outcome', sha256: 'its digest' };
const namesIn = (sql: string): readonly string[] => [...sql.matchAll(/@(\w+)/g)].map(([, name = '']) => name);

it('gives the values of a start in the order in which the statement names them', () => {
  const row = stepOf('j-1', 'a/b', { agentId: 'lead', notes: { a: 1 }, usage, endedAt: 'then', units: 7 });
  const byName: Readonly<Record<string, unknown>> = {
    ...{ ...encodeStep(row, outcome), run: 5 },
    ...{ identity: packedDigest(row.identity), step_id: packedDigest(row.stepId), usage: thinUsage(usage) },
  };

  expect(startValues(5, row, outcome)).toEqual(namesIn(START_STEP).map((name) => byName[name]));
});

it('gives the values of an end in the order in which the statement names them', () => {
  const end = {
    op: 'step.ended',
    key: 'a',
    outcome: { status: 'ok', value: 1 },
    usage,
    units: 2,
    endedAt: 'then',
  } as const;
  const byName: Readonly<Record<string, unknown>> = {
    ...{ run: 5, key: 'a', outcome: outcome.inline, outcomeSha256: outcome.sha256 },
    ...{ usage: thinUsage(usage), units: 2, endedAt: 'then' },
  };

  expect(endValues(5, { ...end, events: [] }, outcome)).toEqual(namesIn(END_STEP).map((name) => byName[name]));
});
