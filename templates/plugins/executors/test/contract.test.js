import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestHost, executorConformance, readFixtures } from '@kit-run/kit/testing';
import { contribution } from '../src/executor.js';

const plugin = join(import.meta.dirname, '..');
const fixtures = (await readFixtures(plugin)).executors['sample-publisher.sample-name'];

for (const { name, run } of executorConformance(contribution, fixtures)) test(name, run);

test('is listed by the host, which refuses a configuration that does not fit', async (context) => {
  const opened = await createTestHost({ plugin });
  context.after(() => opened.dispose());

  assert.deepEqual(
    opened.host.report().map(({ code }) => code),
    [null],
  );
  await assert.rejects(opened.host.resolve('executors', 'sample-name', { no_such_key: true }), {
    code: 'KIT_PLUGIN_CONFIG_INVALID',
  });
});
