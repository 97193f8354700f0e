import { expect, it } from 'vitest';
import { committed } from '../../support/committed.js';
import {
  claimOf,
  endWrite,
  fenceOf,
  messageEvent,
  newJob,
  noteWrite,
  startWrite,
  stepOf,
} from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

export function batchLaws(world: World): void {
  it('writes batches that are handed in together as they follow each other, or none of them', async () => {
    const { stores, ids } = world();
    const job = await stores.jobs.insert(newJob(ids.jobId()), 'pending', [], claimOf());
    const said = (key: string) => messageEvent(ids.uuid(), `of ${key}`, key);

    const stored = await committed(
      stores,
      fenceOf(job),
      [startWrite(stepOf(job.id, 'a'), [said('a')])],
      [endWrite('a', { status: 'ok', value: 'x'.repeat(70_000) }, [said('a')]), startWrite(stepOf(job.id, 'b'))],
      [noteWrite('b', { session: 's-1' }, [said('b')])],
    );
    const refused = stores.runs.commit(
      fenceOf(job),
      [endWrite('b', { status: 'ok', value: 2 }, [said('b')])],
      [endWrite('nobody began it', { status: 'ok', value: 3 })],
    );

    await expect(refused).rejects.toThrow('is not open');
    expect(stored.map(({ seq, stepKey }) => [seq, stepKey])).toEqual([
      [1, 'a'],
      [2, 'a'],
      [3, 'b'],
    ]);
    expect(await stores.runs.load(job.id)).toMatchObject([
      { key: 'a', outcome: { status: 'ok' } },
      { key: 'b', outcome: null, notes: { session: 's-1' } },
    ]);
    expect((await stores.events.read({ jobId: job.id, limit: 10 })).events).toHaveLength(3);
  });
}
