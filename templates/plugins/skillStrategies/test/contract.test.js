import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestHost, readFixtures, skillStrategyConformance } from '@kit-run/kit/testing';
import { contribution } from '../src/strategy.js';

const plugin = join(import.meta.dirname, '..');
const fixtures = (await readFixtures(plugin)).skillStrategies['sample-publisher.sample-name'];

for (const { name, run } of skillStrategyConformance(contribution, fixtures)) test(name, run);

test('says whose objection it was', async (context) => {
  const opened = await createTestHost({ plugin });
  context.after(() => opened.dispose());
  const strategy = await opened.host.resolve('skillStrategies', 'sample-name', {});
  const votes = [
    { skill: 'style', verdict: 'pass', confidence: 0.9, reasoning: 'Reads well.' },
    { skill: 'facts', verdict: 'fail', confidence: 0.8, reasoning: 'The date is wrong.' },
  ];

  assert.deepEqual(strategy.decide(votes), {
    verdict: 'fail',
    confidence: 0.8,
    reasoning: 'facts: The date is wrong.',
  });
});
