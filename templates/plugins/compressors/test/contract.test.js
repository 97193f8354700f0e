import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { compressorConformance, createTestHost, readFixtures } from '@kit-run/kit/testing';
import { contribution } from '../src/compressor.js';

const plugin = join(import.meta.dirname, '..');
const fixtures = (await readFixtures(plugin)).compressors['sample-publisher.sample-name'];

for (const { name, run } of compressorConformance(contribution, fixtures)) test(name, run);

test('folds repeated lines and leaves other texts alone', async (context) => {
  const opened = await createTestHost({ plugin });
  context.after(() => opened.dispose());
  const compressor = await opened.host.resolve('compressors', 'sample-name', {});
  const from = { tool: 'read-log', server: null };

  assert.equal(await compressor.compress(`${'waiting\n'.repeat(9)}done`, from), 'waiting (9 times)\ndone');
  assert.equal(await compressor.compress('one\ntwo', from), null);
});
