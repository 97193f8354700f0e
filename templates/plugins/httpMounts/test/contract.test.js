import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestHost, httpMountConformance, readFixtures } from '@kit-run/kit/testing';
import { contribution } from '../src/http-mount.js';

const plugin = join(import.meta.dirname, '..');
const fixtures = (await readFixtures(plugin)).httpMounts['sample-publisher.sample-name'];

for (const { name, run } of httpMountConformance(contribution, fixtures)) test(name, run);

test('counts runs by status', async (context) => {
  const opened = await createTestHost({ plugin });
  context.after(() => opened.dispose());
  const mount = await opened.host.resolve('httpMounts', 'sample-name', {});
  const handlers = new Map();
  const jobs = { list: async () => [{ status: 'running' }, { status: 'completed' }, { status: 'completed' }] };

  await mount.register(
    { get: (path, _options, handler) => handlers.set(path, handler) },
    { app: { jobs }, workspace: '/workspace' },
  );

  assert.deepEqual(await handlers.get('/counts')(), { counts: { running: 1, completed: 2 } });
});
