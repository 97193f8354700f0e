import { expect, it } from 'vitest';
import { OPENAI_CHAT } from '../../support/components/provider-servers/openai-chat.js';
import { crowd } from '../../support/components/provider-servers/personalities.js';
import type { ReplyOf } from '../../support/components/provider-servers/reply.js';
import type { RecordedRequest, Reply } from '../../support/model-server.js';
import { ask, openFleet, until } from './fleet.js';

const RUNS = 40;
/** Boss, helper, boss. */
const CALLS = 3 * RUNS;
/** A limit that was found is tried again after a minute. */
const TRIED_AGAIN_MS = 60_000;

function answerOf({ body }: RecordedRequest): Reply {
  if (JSON.stringify(body.messages[0] ?? '').includes('You help.')) return { do: 'answer', text: 'helped' };
  return body.messages.at(-1)?.role === 'tool'
    ? { do: 'answer', text: 'all done' }
    : { do: 'answer', calls: [{ name: 'delegate_to_helper', arguments: { task: 'help' } }] };
}

it.each([
  ['one worker keeps', ['one'], '40'],
  ['four workers share', ['one', 'two', 'three', 'four'], '10'],
] as const)('%s what a provider takes at once, and few requests are refused', { timeout: 240_000 }, async (...of) => {
  const [, names, each] = of;
  const fleet = await openFleet();
  const five = crowd({ atOnce: 5, takesMs: 100, waitsUntilFull: true });
  fleet.model.script(
    ...Array.from(
      { length: 10 * CALLS },
      (): ReplyOf => (request) => five.changed(answerOf(request), request, OPENAI_CHAT),
    ),
  );
  // Nobody dies here: a busy machine must not make anybody take a run over.
  const workspace = (name: string): string => fleet.workspace(name, { leaseSeconds: 120 });
  const api = await fleet.api(workspace('api'));
  const submitted = Array.from({ length: RUNS }, () => ask(api, '/run/talk', { input: 'hi' }));
  const ids = (await Promise.all(submitted)).map(({ body }) => body.id);
  const beganMs = performance.now();
  await Promise.all(names.map((name) => fleet.worker(workspace(name), '--concurrency', each)));

  for (const id of ids) expect(await until(api, id, 'completed')).toMatchObject({ output: 'all done' });

  expect(five.most()).toBe(5);
  expect(fleet.model.requests).toHaveLength(CALLS + five.refused());
  const triedAgain = Math.floor((performance.now() - beganMs) / TRIED_AGAIN_MS);
  expect(five.refused()).toBeLessThanOrEqual(CALLS / 10 + triedAgain);
});
