import { expect, it } from 'vitest';
import { isOpenItem, reviews } from '../support/gated.js';
import { agent, call } from '../support/run-world.js';
import { lawfulWorlds } from './laws.js';

const open = lawfulWorlds();

it.each([
  ['all of a task', 5_000, {}],
  ['how long a task is whose end is not shown', 100_004, { task_chars: 100_004 }],
])('people who are asked about an agent are told %s', async (_what, chars, more) => {
  const task = `${'x'.repeat(chars - 4)} end`;
  const world = await open({
    root: agent('root', { role: 'root', children: [agent('one')] }),
    script: () => [call('delegate_to_one', { task })],
    facilities: () => ({
      decide: async ({ agentId }) => (agentId === 'one' ? { verdict: 'ask', reason: 'look' } : { verdict: 'allow' }),
    }),
  });
  await world.run();

  const item = (await reviews(world)).items.find(isOpenItem);
  expect(item?.details).toEqual({
    action: 'agent:execute',
    task: task.slice(0, 100_000),
    step: expect.any(String),
    digest: expect.any(String),
    ...more,
  });
});
