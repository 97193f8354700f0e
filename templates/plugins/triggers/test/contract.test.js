import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestHost, readFixtures, triggerConformance } from '@kit-run/kit/testing';
import { contribution } from '../src/trigger.js';

const plugin = join(import.meta.dirname, '..');
const fixtures = (await readFixtures(plugin)).triggers['sample-publisher.sample-name'];

for (const { name, run } of triggerConformance(contribution, fixtures)) test(name, run);

test('takes a push with the token that its manifest declares', async (context) => {
  const opened = await createTestHost({ plugin, env: { FEED_TOKEN: 'the token' } });
  context.after(() => opened.dispose());
  const trigger = await opened.host.resolve('triggers', 'sample-name', { url: 'https://feed.invalid/news' });
  const push = (token) => trigger.verify({ headers: { 'x-feed-token': token }, body: new Uint8Array() });

  assert.deepEqual([(await push('the token')).kind, (await push('another')).kind], ['verified', 'refused']);
});

test('fires once for each version that the server names', async (context) => {
  let etag = '"one"';
  const fetch = async () => new Response(null, { headers: { etag } });
  const opened = await createTestHost({ plugin, fetch });
  context.after(() => opened.dispose());
  const trigger = await opened.host.resolve('triggers', 'sample-name', {
    url: 'https://feed.invalid/news',
    every_seconds: 60,
  });
  const fired = [];
  const stop = new AbortController();
  await trigger.start({
    triggerId: 't',
    workspaceRoot: opened.directory,
    signal: stop.signal,
    fire: async (firing) => void fired.push(firing),
  });

  await opened.clock.advance(60_000);
  etag = '"two"';
  await opened.clock.advance(180_000);
  stop.abort();

  assert.deepEqual(fired, [{ input: { url: 'https://feed.invalid/news', version: '"two"' }, occurrence: '"two"' }]);
});
