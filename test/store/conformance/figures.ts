import { expect, it } from 'vitest';
import type { RunFigures } from '../../../src/domain/run-figures.js';
import { claimOf, endedEvent, fenceOf, newJob, resumedEvent, runEndWrite } from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

const figures = (agents: number): RunFigures => ({
  agents,
  modelCalls: 2,
  toolCalls: 3,
  issues: 1,
  usage: {
    inputTokens: 1,
    outputTokens: 2,
    cachedInputTokens: 0,
    reasoningTokens: 0,
    knownCostUsd: 0.5,
    unknownCosts: 1,
  },
});

export function figureLaws(world: World): void {
  const begun = () => world().stores.jobs.insert(newJob(world().ids.jobId()), 'pending', [], claimOf());
  const kept = async (id: string) => (await world().stores.jobs.get(id))?.figures;

  it('keeps in the row what a run came to, with its end', async () => {
    const job = await begun();

    const write = runEndWrite([endedEvent(world().ids.uuid())]);
    await world().stores.runs.commit(fenceOf(job), [{ ...write, figures: figures(3) }]);
    await world().reopen();

    expect(job.figures).toBeUndefined();
    expect(await kept(job.id)).toEqual(figures(3));
    expect((await world().stores.jobs.list({ limit: 1 }))[0]?.figures).toEqual(figures(3));
  });

  it('keeps what was counted afterwards, of a run that has ended and did not go on since', async () => {
    const [ended, running] = [await begun(), await begun()];
    await world().stores.runs.commit(fenceOf(ended), [runEndWrite([endedEvent(world().ids.uuid())])]);
    expect(await kept(ended.id)).toBeUndefined();

    for (const job of [ended, running]) await world().stores.jobs.keepFigures(job, figures(4));
    expect(await kept(ended.id)).toEqual(figures(4));
    expect(await kept(running.id)).toBeUndefined();

    await world().stores.jobs.keepFigures({ id: ended.id, attempt: 0 }, figures(5));
    expect(await kept(ended.id)).toEqual(figures(4));
  });

  it('forgets those of an earlier end when a stopped run goes on', async () => {
    const { jobs, runs } = world().stores;
    const first = await begun();
    const stop = runEndWrite([endedEvent(world().ids.uuid(), 'stopped')], { status: 'stopped' });
    await runs.commit(fenceOf(first), [{ ...stop, figures: figures(3) }]);
    expect(await kept(first.id)).toEqual(figures(3));

    const second = await jobs.resume(first.id, resumedEvent(world().ids.uuid()), claimOf());
    expect(second.figures).toBeUndefined();
    await runs.commit(fenceOf(second), [
      runEndWrite([endedEvent(world().ids.uuid(), 'stopped')], { status: 'stopped' }),
    ]);

    expect(await kept(first.id)).toBeUndefined();
  });
}
