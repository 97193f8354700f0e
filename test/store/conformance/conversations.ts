import { expect, it } from 'vitest';
import type { Job } from '../../../src/domain/job.js';
import { claimOf, endedEvent, fenceOf, newJob, runEndWrite, stopEvent } from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';
import { MANUAL_START_MS } from '../../support/store-world.js';

const at = (plusMs: number): string => new Date(MANUAL_START_MS + plusMs).toISOString();
const UNKNOWN = { code: 'KIT_CONVERSATION_UNKNOWN' };
const BUSY = { code: 'KIT_CONVERSATION_BUSY' };

export function conversationLaws(world: World): void {
  const all = () => world().stores.serving.conversations;
  const create = (id: string, topology = 'review') => all().create({ id, topology, createdBy: 'ada', shared: false });
  const start = (jobId: string): Promise<Job> =>
    world().stores.jobs.insert(newJob(jobId, { source: 'chat' }), 'pending', [], claimOf());
  const end = (job: Job, status: 'completed' | 'failed', output: string | null) =>
    world().stores.runs.commit(fenceOf(job), [
      runEndWrite([endedEvent(world().ids.uuid(), status)], { status, output, endedAt: at(5000) }),
    ]);
  /** A turn that was answered. */
  const talk = async (id: string, message: string, answer: string): Promise<string> => {
    const jobId = world().ids.jobId();
    await all().begin(id, { jobId, message });
    await end(await start(jobId), 'completed', answer);
    return jobId;
  };

  it('begins empty, and is found by its id', async () => {
    const made = await create('0a1b2c3d');

    expect(made).toEqual({
      id: '0a1b2c3d',
      topology: 'review',
      createdBy: 'ada',
      shared: false,
      createdAt: at(0),
      updatedAt: at(0),
      turns: [],
    });
    expect(await all().get('0a1b2c3d', 'ada')).toEqual(made);
  });

  it('refuses an id that is taken, and leaves that conversation as it is', async () => {
    const made = await create('0a1b2c3d');

    await expect(create('0a1b2c3d', 'other')).rejects.toThrow('0a1b2c3d');
    expect(await all().get('0a1b2c3d', 'ada')).toEqual(made);
  });

  it('takes turns in order, each with the answer that its run gave', async () => {
    await create('0a1b2c3d');
    const first = await talk('0a1b2c3d', 'hello', 'hi');
    await world().elapse(10_000);
    const jobId = world().ids.jobId();

    const second = await all().begin('0a1b2c3d', { jobId, message: 'and now?' });

    expect(second).toEqual({ n: 2, jobId, message: 'and now?', answer: null, createdAt: at(10_000), answeredAt: null });
    await start(jobId);
    expect(await all().get('0a1b2c3d', 'ada')).toMatchObject({
      createdAt: at(0),
      updatedAt: at(10_000),
      turns: [{ n: 1, jobId: first, message: 'hello', answer: 'hi', createdAt: at(0), answeredAt: at(0) }, second],
    });
  });

  it('takes the words of an answer as they are, none included', async () => {
    await create('0a1b2c3d');
    await talk('0a1b2c3d', 'say\u0000nothing', '');
    const jobId = world().ids.jobId();
    await all().begin('0a1b2c3d', { jobId, message: '' });
    await end(await start(jobId), 'completed', null);

    expect((await all().get('0a1b2c3d', 'ada')).turns).toMatchObject([
      { message: 'say\u0000nothing', answer: '' },
      { message: '', answer: '' },
    ]);
  });

  it('is busy from the moment a turn is taken until its run has ended', async () => {
    await create('0a1b2c3d');
    const jobId = world().ids.jobId();
    await all().begin('0a1b2c3d', { jobId, message: 'hello' });
    const next = () => all().begin('0a1b2c3d', { jobId: world().ids.jobId(), message: 'are you there?' });

    await expect(next()).rejects.toMatchObject({ ...BUSY, data: { id: '0a1b2c3d', n: 1, job_id: jobId } });
    const job = await start(jobId);
    await expect(next()).rejects.toMatchObject(BUSY);
    await world().elapse(3_600_000);
    await expect(next()).rejects.toMatchObject(BUSY);
    expect((await all().get('0a1b2c3d', 'ada')).turns).toHaveLength(1);
    await end(job, 'completed', 'yes');

    expect(await next()).toMatchObject({ n: 2 });
  });

  it('shows and counts a turn once its run is there: who reads it may ask for that run', async () => {
    await create('0a1b2c3d');
    const first = await talk('0a1b2c3d', 'hello', 'hi');
    const jobId = world().ids.jobId();
    await all().begin('0a1b2c3d', { jobId, message: 'and now?' });
    const seen = async () => {
      const [listed] = await all().list(10, 'ada');
      const { turns } = await all().get('0a1b2c3d', 'ada');
      return { turns: turns.map((turn) => turn.jobId), count: listed?.turnCount, last: listed?.turns[0]?.jobId };
    };
    expect(await seen()).toEqual({ turns: [first], count: 1, last: first });

    await start(jobId);

    expect(await seen()).toEqual({ turns: [first, jobId], count: 2, last: jobId });
  });

  it('replaces a turn whose run failed or was stopped', async () => {
    const { stores, ids } = world();
    await create('0a1b2c3d');
    const failed = ids.jobId();
    await all().begin('0a1b2c3d', { jobId: failed, message: 'one' });
    await end(await start(failed), 'failed', 'half an answer');
    expect((await all().get('0a1b2c3d', 'ada')).turns).toMatchObject([
      { n: 1, jobId: failed, answer: null, answeredAt: null },
    ]);

    const stopped = ids.jobId();
    expect(await all().begin('0a1b2c3d', { jobId: stopped, message: 'two' })).toMatchObject({ n: 1 });
    await stores.jobs.insert(newJob(stopped), 'pending', []);
    await stores.jobs.requestStop(stopped, 'ada', stopEvent(ids.uuid()));

    const last = ids.jobId();
    expect(await all().begin('0a1b2c3d', { jobId: last, message: 'three' })).toMatchObject({ n: 1 });
    await start(last);
    expect((await all().get('0a1b2c3d', 'ada')).turns).toMatchObject([{ n: 1, jobId: last, message: 'three' }]);
  });

  it('replaces a turn whose run is still missing after a minute', async () => {
    const { ids, elapse } = world();
    await create('0a1b2c3d');
    await all().begin('0a1b2c3d', { jobId: ids.jobId(), message: 'lost' });
    await elapse(60_000);
    await expect(all().begin('0a1b2c3d', { jobId: ids.jobId(), message: 'soon' })).rejects.toMatchObject(BUSY);

    await elapse(1);

    expect(await all().begin('0a1b2c3d', { jobId: ids.jobId(), message: 'late' })).toMatchObject({
      n: 1,
      message: 'late',
    });
  });

  it('takes a turn back while its run was not submitted, and never one that was', async () => {
    const { ids } = world();
    await create('0a1b2c3d');
    await talk('0a1b2c3d', 'hello', 'hi');
    const given = ids.jobId();
    await all().begin('0a1b2c3d', { jobId: given, message: 'refused' });

    await all().giveBack(given);
    await all().giveBack(given);
    await all().giveBack('ffffffffffff');
    const kept = ids.jobId();
    expect(await all().begin('0a1b2c3d', { jobId: kept, message: 'again' })).toMatchObject({ n: 2 });
    await start(kept);
    await all().giveBack(kept);

    expect((await all().get('0a1b2c3d', 'ada')).turns).toMatchObject([{ n: 1 }, { n: 2, jobId: kept }]);
  });

  it('gives the next turn to one of many who ask at once', async () => {
    await create('0a1b2c3d');
    const asked = Array.from({ length: 10 }, (_, n) =>
      all().begin('0a1b2c3d', { jobId: world().ids.jobId(), message: `m${n}` }),
    );

    const answers = await Promise.allSettled(asked);

    const [taken, ...more] = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
    expect(taken).toMatchObject({ n: 1 });
    expect(more).toEqual([]);
    for (const answer of answers) if (answer.status === 'rejected') expect(answer.reason).toMatchObject(BUSY);
    await start(taken?.jobId ?? '');
    expect((await all().get('0a1b2c3d', 'ada')).turns).toHaveLength(1);
  });

  it('has no turn to give where there is no conversation', async () => {
    await create('0a1b2c3d');
    await expect(all().begin('0a1b2c3f', { jobId: world().ids.jobId(), message: 'hello' })).rejects.toMatchObject(
      UNKNOWN,
    );
    await expect(all().begin('0a1b', { jobId: world().ids.jobId(), message: 'hello' })).rejects.toMatchObject(UNKNOWN);
  });

  it('lists the newest first by what was said last, with the last turn and their number', async () => {
    await create('00000001');
    await world().elapse(1000);
    await create('00000002', 'other');
    await world().elapse(1000);
    await talk('00000001', 'hello', 'hi');
    await talk('00000001', 'and?', 'that is all');

    const listed = await all().list(10, 'ada');

    expect(listed).toMatchObject([
      {
        id: '00000001',
        topology: 'review',
        turnCount: 2,
        updatedAt: at(2000),
        turns: [{ n: 2, message: 'and?', answer: 'that is all' }],
      },
      { id: '00000002', topology: 'other', turnCount: 0, updatedAt: at(1000), turns: [] },
    ]);
    expect((await all().list(1, 'ada')).map(({ id }) => id)).toEqual(['00000001']);
  });

  it('goes on after a restart', async () => {
    await create('0a1b2c3d');
    await talk('0a1b2c3d', 'hello', 'hi');
    const before = await all().get('0a1b2c3d', 'ada');

    await world().reopen();

    expect(await all().get('0a1b2c3d', 'ada')).toEqual(before);
    expect(await all().begin('0a1b2c3d', { jobId: world().ids.jobId(), message: 'again' })).toMatchObject({ n: 2 });
  });
}
