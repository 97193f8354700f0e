import { expect, it } from 'vitest';
import type { Job } from '../../../src/domain/job.js';
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
import type { World } from './index.js';

export function eventIdLaws(world: World): void {
  const running = (): Promise<Job> =>
    world().stores.jobs.insert(newJob(world().ids.jobId()), 'pending', [startedEvent(world().ids.uuid())], claimOf());

  it('ignores a second write of an event id and returns what the log holds', async () => {
    const { stores } = world();
    const job = await running();
    const first = await stores.runs.commit(fenceOf(job), [
      startWrite(stepOf(job.id, 'a'), [messageEvent('twice', 'one')]),
    ]);

    const second = await stores.runs.commit(fenceOf(job), [
      startWrite(stepOf(job.id, 'b'), [messageEvent('twice', 'other'), messageEvent('once', 'three')]),
    ]);

    expect(second[0]).toEqual(first[0]);
    expect(second[1]).toMatchObject({ seq: 3, prevHash: first[0]?.hash });
    expect((await stores.events.readRun(job.id, 0, 10)).map((event) => event.eventId).slice(1)).toEqual([
      'twice',
      'once',
    ]);
  });

  it('ignores a second write of an event of a step, by the same claim and by the next one', async () => {
    const { stores } = world();
    const job = await running();
    const reported = (text: string) => messageEvent('00000000-0000-4000-8000-00000000000a', text, 'a');
    const [first] = await stores.runs.commit(fenceOf(job), [startWrite(stepOf(job.id, 'a'), [reported('one')])]);
    const again = await stores.runs.commit(fenceOf(job), [noteWrite('a', {}, [reported('other')])]);
    await stores.jobs.release(fenceOf(job));
    const [next] = await stores.jobs.claim(claimOf({ workerId: 'next', jobId: job.id }));
    const fence = fenceOf(next ?? job);

    const later = await stores.runs.commit(fence, [
      noteWrite('a', {}, [reported('third'), messageEvent('00000000-0000-4000-8000-00000000000b', 'new', 'a')]),
    ]);

    expect(again).toEqual([first]);
    expect(later[0]).toEqual(first);
    expect(later[1]).toMatchObject({ payload: { text: 'new' } });
    const events = await stores.events.readRun(job.id, 0, 10);
    expect(events.filter(({ stepKey }) => stepKey === 'a')).toEqual(later);
  });
}
