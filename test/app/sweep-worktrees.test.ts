import { afterEach, expect, it } from 'vitest';
import { sweepLeftWorktrees } from '../../src/app/sweep-worktrees.js';
import { agent, openWorld, type World } from '../support/run-world.js';

let world: World;
afterEach(() => world.close());

/** What the sweep would keep of three paths, seen from the store of this world. */
async function kept(): Promise<readonly boolean[]> {
  const answers: boolean[] = [];
  await sweepLeftWorktrees(world.stores, async (isWanted) => {
    answers.push(
      await isWanted('/tmp/noted', world.job.id),
      await isWanted('/tmp/other', world.job.id),
      await isWanted('/tmp/noted', null),
    );
    return [];
  });
  return answers;
}

it('keeps the worktree that an open step of an unfinished run noted, and nothing else', async () => {
  world = await openWorld({ root: agent('root', { role: 'root' }), script: () => 'done' });
  const { job, stores } = world;
  const fence = { jobId: job.id, workerId: job.workerId ?? '', attempt: job.attempt };
  await stores.runs.commit(fence, [
    {
      op: 'step.started',
      events: [],
      row: {
        jobId: job.id,
        key: 'root/d0/x',
        kind: 'harness',
        identity: 'i',
        effects: 'write',
        onInDoubt: 'repeat',
        attempt: 1,
        stepId: 's',
        outcome: null,
        notes: { worktree: '/tmp/noted' },
        usage: null,
        units: 1,
        agentId: 'root',
        startedAt: new Date().toISOString(),
        endedAt: null,
      },
    },
  ]);

  expect(await kept()).toEqual([true, false, false]);
});

it('keeps nothing of a run that has ended', async () => {
  world = await openWorld({ root: agent('root', { role: 'root' }), script: () => 'done' });
  await world.run();

  expect(await kept()).toEqual([false, false, false]);
});
