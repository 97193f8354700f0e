import { expect, it } from 'vitest';
import type { Job } from '../../../src/domain/job.js';
import { committed } from '../../support/committed.js';
import {
  claimOf,
  fenceOf,
  messageEvent,
  newJob,
  noteWrite,
  startedEvent,
  startWrite,
  stepOf,
} from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

export function eventIdLaws(world: World): void {
  const running = (): Promise<Job> =>
    world().stores.jobs.insert(newJob(world().ids.jobId()), 'pending', [startedEvent(world().ids.uuid())], claimOf());

  it('ignores a second write of an event id, and goes on behind the first', async () => {
    const { stores } = world();
    const job = await running();
    const first = await committed(stores, fenceOf(job), [
      startWrite(stepOf(job.id, 'a'), [messageEvent('twice', 'one')]),
    ]);

    const second = await committed(stores, fenceOf(job), [
      startWrite(stepOf(job.id, 'b'), [messageEvent('twice', 'other'), messageEvent('once', 'three')]),
    ]);

    expect(second).toMatchObject([{ eventId: 'once', seq: 3, prevHash: first[0]?.hash }]);
    expect(await stores.events.readRun(job.id, 1, 10)).toEqual([...first, ...second]);
  });

  it('ignores a second write of an event of a step, by the same claim and by the next one', async () => {
    const { stores } = world();
    const job = await running();
    const reported = (text: string) => messageEvent('00000000-0000-4000-8000-00000000000a', text, 'a');
    const first = await committed(stores, fenceOf(job), [startWrite(stepOf(job.id, 'a'), [reported('one')])]);
    const again = await committed(stores, fenceOf(job), [noteWrite('a', {}, [reported('other')])]);
    await stores.jobs.release(fenceOf(job));
    const [next] = await stores.jobs.claim(claimOf({ workerId: 'next', jobId: job.id }));
    const fence = fenceOf(next ?? job);

    const later = await committed(stores, fence, [
      noteWrite('a', {}, [reported('third'), messageEvent('00000000-0000-4000-8000-00000000000b', 'new', 'a')]),
    ]);

    expect([first, again]).toMatchObject([[{ payload: { text: 'one' } }], []]);
    expect(later).toMatchObject([{ payload: { text: 'new' } }]);
    const events = await stores.events.readRun(job.id, 0, 10);
    expect(events.filter(({ stepKey }) => stepKey === 'a')).toEqual([...first, ...later]);
  });
}
