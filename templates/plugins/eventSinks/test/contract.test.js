import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { createTestHost, eventSinkConformance, readFixtures } from '@kit-run/kit/testing';
import { contribution } from '../src/event-sink.js';

const plugin = join(import.meta.dirname, '..');
const fixtures = (await readFixtures(plugin)).eventSinks['sample-publisher.sample-name'];

for (const { name, run } of eventSinkConformance(contribution, fixtures)) test(name, run);

test('writes one message an event into its channel', async (context) => {
  const asked = [];
  const fetch = async (url, { headers, body }) => {
    asked.push([url, headers.authorization, JSON.parse(body)]);
    return new Response(null, { status: 200 });
  };
  const opened = await createTestHost({ plugin, fetch, env: { CHAT_TOKEN: 'a token' } });
  context.after(() => opened.dispose());
  const sink = await opened.host.resolve('eventSinks', 'sample-name', { url: 'https://chat.invalid', channel: 'runs' });

  const entry = { event_id: 'e-1', event_type: 'run.ended', run_id: 'r-1', topology_id: 'review' };
  assert.deepEqual(await sink.deliver(entry, new AbortController().signal), { kind: 'delivered' });
  assert.deepEqual(asked, [
    [
      'https://chat.invalid/channels/runs/messages',
      'Bearer a token',
      { id: 'e-1', text: 'run.ended in run r-1 of review' },
    ],
  ]);
});
