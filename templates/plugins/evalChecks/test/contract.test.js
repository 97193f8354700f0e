import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestHost, evalCheckConformance, readFixtures } from '@kit-run/kit/testing';
import { contribution } from '../src/eval-check.js';

const plugin = join(import.meta.dirname, '..');
const fixtures = (await readFixtures(plugin)).evalChecks['sample-publisher.sample-name'];

for (const { name, run } of evalCheckConformance(contribution, fixtures)) test(name, run);

test('counts the words of an output', async (context) => {
  const opened = await createTestHost({ plugin });
  context.after(() => opened.dispose());
  const check = await opened.host.resolve('evalChecks', 'sample-name', {});
  const subject = { input: 'Go.', output: 'one two three', status: 'completed', usedSkills: [] };

  assert.equal(await check.check(3, subject), null);
  assert.equal(await check.check(2, subject), 'the output has 3 words, and 2 are the most');
});
