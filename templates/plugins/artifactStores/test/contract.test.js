import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { artifactStoreConformance, createTestHost, readFixtures } from '@kit-run/kit/testing';
import { contribution } from '../src/artifact-store.js';

const plugin = join(import.meta.dirname, '..');
const fixtures = (await readFixtures(plugin)).artifactStores['sample-publisher.sample-name'];

for (const { name, run } of artifactStoreConformance(contribution, fixtures)) test(name, run);

test('puts bytes below its address, with the token that its manifest declares', async (context) => {
  const asked = [];
  const fetch = async (url, { method, headers }) => {
    asked.push([method, url, headers.authorization]);
    return new Response(null, { status: 200 });
  };
  const opened = await createTestHost({ plugin, fetch, env: { STORE_TOKEN: 'a token' } });
  context.after(() => opened.dispose());
  const store = await opened.host.resolve('artifactStores', 'sample-name', { url: 'https://store.invalid/kit' });

  await store.put('a-digest', new Uint8Array([1, 2, 3]));

  assert.deepEqual(asked, [['PUT', 'https://store.invalid/kit/a-digest', 'Bearer a token']]);
});
