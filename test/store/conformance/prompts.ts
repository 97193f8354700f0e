import { expect, it } from 'vitest';
import type { PromptBounds } from '../../../src/domain/ports/prompts.js';
import { callOf, conversation, keepCalls, promptOf } from '../../support/prompt-sample.js';
import { claimOf, endedEvent, fenceOf, newJob, runEndWrite, startedEvent } from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

const DAY_MS = 24 * 60 * 60 * 1000;
const WIDE: PromptBounds = { count: 100, bytes: 1_000_000, ageMs: 5 * 365 * DAY_MS };

export function promptLaws(world: World): void {
  const list = async (jobId: string | null = null) => world().stores.prompts.list({ jobId, limit: 100 });
  const keys = async (jobId: string | null = null) => (await list(jobId)).map(({ stepKey }) => stepKey);
  /** What each call was asked, newest first. */
  const asked = async (): Promise<readonly { messages: readonly string[]; messages_left_out?: number }[]> =>
    (await list()).map(({ prompt }) => JSON.parse(prompt));
  const keep = (calls: Parameters<typeof keepCalls>[1], bounds = WIDE) => keepCalls(world().stores, calls, bounds);

  it('gives back what was kept, newest first, of all runs or of one, across a restart', async () => {
    const over = { skillId: 'say', purpose: 'skill', tries: 3 } as const;
    await keep([callOf(1, over), callOf(2)]);
    await keep([callOf(3, { jobId: 'other' })]);
    await world().reopen();

    expect(await keys()).toEqual(['root/t3', 'root/t2', 'root/t1']);
    expect(await world().stores.prompts.list({ jobId: 'job', limit: 2 })).toEqual([promptOf(2), promptOf(1, over)]);
    expect(await world().stores.prompts.list({ jobId: null, limit: 1 })).toMatchObject([{ jobId: 'other' }]);
    expect(await world().stores.prompts.count()).toBe(3);
  });

  it('holds no more than its bounds: by number, by bytes and by age, and the newest always', async () => {
    await keep([1, 2, 3, 4].map((n) => callOf(n)));
    await keep([], WIDE);
    await world().reopen();
    await keep([callOf(5)], { ...WIDE, count: 3 });
    expect(await keys()).toEqual(['root/t5', 'root/t4', 'root/t3']);

    await world().reopen();
    await keep([callOf(6, { answer: JSON.stringify('x'.repeat(5000)) })], { ...WIDE, bytes: 1000 });
    expect(await keys()).toEqual(['root/t6']);

    await world().reopen();
    await keep([callOf(7, { askedAt: '2010-12-24T00:00:00.000Z' })]);
    expect(await keys()).toEqual(['root/t6']);
  });

  it('holds no more in memory than its bounds, before anything is written', async () => {
    const keeper = await world().stores.prompts.keeper({ ...WIDE, count: 3 });
    for (const n of [1, 2, 3, 4, 5]) keeper.hold(callOf(n));
    await keeper.flush();
    expect(await keys()).toEqual(['root/t5', 'root/t4', 'root/t3']);

    const narrow = await world().stores.prompts.keeper({ ...WIDE, bytes: 1000 });
    const answer = JSON.stringify('x'.repeat(800));
    for (const n of [6, 7]) narrow.hold({ ...callOf(n), answer, chars: answer.length });
    await narrow.flush();
    await world().reopen();
    expect(await keys()).toEqual(['root/t7', 'root/t5']);
  });

  it('tells each call with its whole conversation, of which each message is kept once', async () => {
    const long = 'x'.repeat(2000);
    const talk = conversation('a');
    const other = conversation('b');
    await keep([talk(1, ['system', long]), other(2, ['else'])]);
    await keep([talk(3, ['answer', 'more']), talk(4, []), talk(5, ['end'])]);

    expect((await asked()).map(({ messages }) => messages)).toEqual([
      ['system', long, 'answer', 'more', 'end'],
      ['system', long, 'answer', 'more'],
      ['system', long, 'answer', 'more'],
      ['else'],
      ['system', long],
    ]);
    await world().reopen();
    expect((await asked())[0]?.messages).toHaveLength(5);
    const [newest] = await world().stores.prompts.list({ jobId: null, limit: 1 });
    expect(newest?.prompt).toContain('"system"');

    // Three such rows whole would be more than that.
    await keep([callOf(6)], { ...WIDE, bytes: 4000 });
    expect(await keys()).toHaveLength(6);
  });

  it('keeps the whole prompt of a call whose conversation began in rows that go, by each bound', async () => {
    const talk = conversation('a');
    await keep([talk(1, ['system', 'task']), talk(2, ['answer', 'more']), talk(3, ['end'])]);
    await world().reopen();
    await keep([callOf(4)], { ...WIDE, count: 2 });
    expect(await asked()).toMatchObject([{}, { messages: ['system', 'task', 'answer', 'more', 'end'] }]);
    expect(await keys()).toEqual(['root/t4', 'root/t3']);

    const large = conversation('b');
    const [first, second] = ['y'.repeat(3000), 'z'.repeat(500)];
    await keep([large(5, [first]), large(6, [second])]);
    await world().reopen();
    // Row 6 alone would fit beside the newest, with what it takes over it does not.
    await keep([callOf(7)], { ...WIDE, bytes: 2000 });
    expect(await keys()).toEqual(['root/t7']);

    const old = conversation('c');
    const askedAt = '2010-12-24T00:00:00.000Z';
    await keep([old(8, ['system'], { askedAt }), old(9, ['late'])], { ...WIDE, ageMs: 50 * 365 * DAY_MS });
    await world().reopen();
    await keep([callOf(10)]);
    expect(await keys()).toEqual(['root/t10', 'root/t9', 'root/t7']);
    expect((await asked())[1]).toEqual({ messages: ['system', 'late'], tools: [] });
  });

  it('writes a call whole when the rows of its conversation are gone meanwhile', async () => {
    const talk = conversation('a');
    await keep([talk(1, ['system', 'task'])]);
    await keep([callOf(2)], { ...WIDE, count: 1 });
    await keep([talk(3, ['answer'])], { ...WIDE, count: 1 });
    await world().reopen();
    await keep([], WIDE);

    expect(await asked()).toEqual([{ messages: ['system', 'task', 'answer'], tools: [] }]);
  });

  it('bounds what it tells of a long conversation as it is kept: the first message and the newest', async () => {
    const talk = conversation('a');
    const part = (n: number) => `${n} ${'x'.repeat(50_000)}`;
    for (const n of [1, 2, 3, 4, 5]) await keep([talk(n, n === 1 ? ['system', part(1)] : [part(n)])]);

    const shown = (await asked()).map(({ messages, messages_left_out: left }) => [
      messages.map((message) => message.slice(0, 6)),
      left,
    ]);
    expect(shown).toEqual([
      [['system', '4 xxxx', '5 xxxx'], 3],
      [['system', '3 xxxx', '4 xxxx'], 2],
      [['system', '2 xxxx', '3 xxxx'], 1],
      [['system', '1 xxxx', '2 xxxx'], undefined],
      [['system', '1 xxxx'], undefined],
    ]);
    await world().reopen();
    await keep([callOf(9)], { ...WIDE, count: 2 });
    expect((await asked())[1]).toMatchObject({
      messages: ['system', part(4), part(5)],
      messages_left_out: 3,
    });
  });

  it('loses the calls of a run with the results of that run, and with the run', async () => {
    const { stores, ids } = world();
    const [pruned, removed] = [ids.jobId(), ids.jobId()];
    for (const id of [pruned, removed]) {
      const job = await stores.jobs.insert(newJob(id), 'pending', [startedEvent(ids.uuid())], claimOf());
      const talk = conversation('a');
      await keep([talk(1, ['system'], { jobId: id }), talk(2, ['more'], { jobId: id })]);
      await stores.runs.commit(fenceOf(job), [runEndWrite([endedEvent(ids.uuid())])]);
      if (id === pruned) await stores.runs.prune({ endedBefore: '2030-01-01T00:00:00.000Z', limit: 10 });
    }
    expect(await keys(pruned)).toEqual([]);
    expect(await keys(removed)).toHaveLength(2);

    // The run that was submitted last never goes.
    await stores.jobs.insert(newJob(ids.jobId()), 'pending', [startedEvent(ids.uuid())]);
    await world().elapse(2 * DAY_MS);
    await stores.retention.prune({ olderThanDays: 1 }, () => {});
    expect(await stores.jobs.get(removed)).toBeNull();
    expect(await keys(removed)).toEqual([]);
  });
}
