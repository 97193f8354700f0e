import { expect, it } from 'vitest';
import { claimOf, endWrite, fenceOf, newJob, startWrite, stepOf } from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

export function producedLaws(world: World): void {
  it('gives back what a run used and changed so far, without results that nobody asks for', async () => {
    const { stores } = world();
    const job = await stores.jobs.insert(newJob(world().ids.jobId()), 'pending', [], claimOf());
    const session = stepOf(job.id, 'root/d0/x', { kind: 'harness' });
    const open = stepOf(job.id, 'root/d1', { kind: 'tool' });
    const call = stepOf(job.id, 'root/d0/t1');
    for (const row of [session, call, open]) await stores.runs.commit(fenceOf(job), [startWrite(row)]);
    for (const { key } of [session, call])
      await stores.runs.commit(fenceOf(job), [endWrite(key, { status: 'ok', value: { diff: `+ ${key}` } })]);

    const rows = await stores.runs.produced(job.id);

    expect(rows.map((row) => [row.key, row.outcome, row.usage?.inputTokens])).toEqual([
      [session.key, { status: 'ok', value: { diff: `+ ${session.key}` } }, 10],
      [call.key, null, 10],
    ]);
  });
}
