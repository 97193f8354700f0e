import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestHost, readFixtures, signalListenerConformance } from '@kit-run/kit/testing';
import { contribution } from '../src/signal-listener.js';

const plugin = join(import.meta.dirname, '..');
const fixtures = (await readFixtures(plugin)).signalListeners['sample-publisher.sample-name'];

for (const { name, run } of signalListenerConformance(contribution, fixtures)) test(name, run);

test('hands the event to the application, with its token', async (context) => {
  const asked = [];
  const fetch = async (url, { headers, body }) => {
    asked.push([url, headers.authorization, JSON.parse(body)]);
    return new Response(null, { status: 200 });
  };
  const opened = await createTestHost({
    plugin,
    fetch,
    env: { APPLICATION_URL: 'https://application.invalid/events', APPLICATION_TOKEN: 'a token' },
  });
  context.after(() => opened.dispose());
  const listener = await opened.host.resolve('signalListeners', 'sample-name', {});

  await listener.deliver({
    correlationId: 'order-7',
    event: 'paid',
    sourceEventId: null,
    mode: 'emit',
    source: 'api:ada',
    pipeline: null,
  });

  assert.deepEqual(asked, [
    [
      'https://application.invalid/events',
      'Bearer a token',
      { flow: 'order-7', event: 'paid', mode: 'emit', source: 'api:ada' },
    ],
  ]);
});
