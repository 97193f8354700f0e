import { expect, it, onTestFinished } from 'vitest';
import { crowd } from '../support/components/provider-servers/personalities.js';
import { type RecordedRequest, type Reply, startModelServer } from '../support/model-server.js';
import { localProvider, talk } from './workspaces.js';
import { eventsOf, makeWorld } from './world.js';

const CHILDREN = 100;

const isHelper = ({ body }: RecordedRequest): boolean => JSON.stringify(body.messages[0] ?? '').includes('You help.');

/** The leader gives a hundred tasks at once, and answers when all have come back. */
function answerOf(request: RecordedRequest): Reply {
  if (isHelper(request)) return { do: 'answer', text: 'helped' };
  if (request.body.messages.at(-1)?.role === 'tool') return { do: 'answer', text: 'all done' };
  const calls = Array.from({ length: CHILDREN }, (_, n) => ({
    name: 'delegate_to_helper',
    arguments: { task: `task ${n}` },
  }));
  return { do: 'answer', calls };
}

it('a hundred children complete at a provider that takes five at once, with few requests refused', async () => {
  const world = await makeWorld();
  onTestFinished(() => world.dispose());
  const five = crowd({ atOnce: 5, takesMs: 40 });
  const server = await startModelServer(answerOf, { personalities: [five] });
  onTestFinished(() => server.close());
  const dir = world.files('talk', talk({ provider: 'local', files: { 'providers/local.yaml': localProvider } }));

  const env = {
    MODEL_URL: server.url,
    LOCAL_KEY: 'key-of-the-test',
    KIT_MAX_TOOLS: String(CHILDREN),
    KIT_MAX_DELEGATIONS_PER_CHILD: String(CHILDREN),
  };
  const result = await world.kit(['run', dir, 'talk', '--input', 'hi', '--json'], { env });

  expect(result.code, result.stderr).toBe(0);
  const called = eventsOf(result).filter(({ type }) => type === 'model.called');
  expect(called).toHaveLength(CHILDREN + 2);
  expect(five.most()).toBe(5);
  expect(five.refused()).toBeLessThanOrEqual(10);
  expect(server.requests).toHaveLength(CHILDREN + 2 + five.refused());
  const reported = eventsOf(result).filter(({ type }) => type === 'step.waiting');
  expect(new Set(reported.map(({ payload }) => payload.reason))).toContain('limit.closed');
  expect(eventsOf(result).filter(({ type }) => type === 'step.admitted')).toHaveLength(reported.length);
}, 120_000);
