import { expect, it } from 'vitest';
import { OPENAI_CHAT } from '../../support/components/provider-servers/openai-chat.js';
import { crowd } from '../../support/components/provider-servers/personalities.js';
import type { ReplyOf } from '../../support/components/provider-servers/server.js';
import type { RecordedRequest, Reply } from '../../support/model-server.js';
import { ask, openFleet, until } from './fleet.js';

const RUNS = 40;
/** Boss, helper, boss. */
const CALLS = 3 * RUNS;

function answerOf({ body }: RecordedRequest): Reply {
  if (JSON.stringify(body.messages[0] ?? '').includes('You help.')) return { do: 'answer', text: 'helped' };
  return body.messages.at(-1)?.role === 'tool'
    ? { do: 'answer', text: 'all done' }
    : { do: 'answer', calls: [{ name: 'delegate_to_helper', arguments: { task: 'help' } }] };
}

it('four workers share what a provider takes at once, and few requests are refused', { timeout: 240_000 }, async () => {
  const fleet = await openFleet();
  const five = crowd({ atOnce: 5, takesMs: 100 });
  fleet.model.script(
    ...Array.from(
      { length: 10 * CALLS },
      (): ReplyOf => (request) => five.changed(answerOf(request), request, OPENAI_CHAT),
    ),
  );
  const api = await fleet.api(fleet.workspace('api'));
  const submitted = Array.from({ length: RUNS }, () => ask(api, '/run/talk', { input: 'hi' }));
  const ids = (await Promise.all(submitted)).map(({ body }) => body.id);
  const names = ['one', 'two', 'three', 'four'];
  await Promise.all(names.map((name) => fleet.worker(fleet.workspace(name), '--concurrency', '10')));

  for (const id of ids) expect(await until(api, id, 'completed')).toMatchObject({ output: 'all done' });

  expect(five.most()).toBe(5);
  expect(fleet.model.requests).toHaveLength(CALLS + five.refused());
  expect(five.refused()).toBeLessThanOrEqual(CALLS / 10);
});
