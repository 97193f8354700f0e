import { expect, it } from 'vitest';
import { answer, goOn } from '../support/gated.js';
import { agent, call } from '../support/run-world.js';
import { lawfulWorlds, payloadsOf } from './laws.js';

const open = lawfulWorlds();

/** A child that a policy asks about: who may approve it, and who may by the time it is done. */
async function workDone(asked: readonly string[], now: readonly string[]) {
  let approvers = asked;
  let done = 0;
  const world = await open({
    root: agent('root', { role: 'root', children: [agent('one')] }),
    script: ({ agent: id, turn }) => {
      if (id === 'one') {
        done += 1;
        return 'worked';
      }
      if (turn === 0) return [call('delegate_to_one', { task: 'x' })];
      return 'done';
    },
    facilities: () => ({
      decide: async ({ agentId }) =>
        agentId === 'one' ? { verdict: 'ask', reason: 'look', approvers } : { verdict: 'allow' },
    }),
  });
  await world.run();
  approvers = now;
  await answer(world, { action: 'approve' });
  await goOn(world);
  return { done, denied: payloadsOf(await world.events(), 'policy.denied') };
}

it.each([
  ['others', ['lead-1', 'lead-2'], ['security-1']],
  ['some of them', ['lead-1', 'lead-2'], ['lead-2']],
  ['somebody in particular', [], ['security-1']],
])('what a policy leaves to %s by the time it is approved is not done', async (_what, asked, now) => {
  const { done, denied } = await workDone(asked, now);
  expect(done).toBe(0);
  expect(denied).toMatchObject([{ reason: `it was approved, and is left to ${now.join(' or ')} by now` }]);
});

it.each([
  ['them', ['lead-1'], ['lead-1']],
  ['more people', ['lead-1'], ['security-1', 'lead-1']],
  ['nobody in particular', ['lead-1'], []],
])('what a policy leaves to %s by the time it is approved is done', async (_what, asked, now) => {
  expect((await workDone(asked, now)).done).toBe(1);
});
