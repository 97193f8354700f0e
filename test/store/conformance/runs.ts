import { expect, it } from 'vitest';
import type { Job } from '../../../src/domain/job.js';
import type { Json } from '../../../src/domain/json.js';
import { committed } from '../../support/committed.js';
import {
  claimOf,
  endedEvent,
  endWrite,
  fenceOf,
  messageEvent,
  newJob,
  noteWrite,
  runEndWrite,
  startWrite,
  stepOf,
  stopEvent,
} from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

export function runLaws(world: World): void {
  const running = (): Promise<Job> => world().stores.jobs.insert(newJob(world().ids.jobId()), 'pending', [], claimOf());

  it('gives back every field of a step as it was written, across a restart', async () => {
    const { stores, ids } = world();
    const job = await running();
    const row = stepOf(job.id, 'root/d0/t1/c0:fetch', {
      kind: 'tool',
      effects: 'destructive',
      onInDoubt: 'ask',
      attempt: 2,
      notes: { session: 's-1', nested: { a: [1, null, 'x'] } },
      units: 0,
      agentId: null,
    });
    await stores.runs.commit(fenceOf(job), [startWrite(row, [messageEvent(ids.uuid(), 'begins', row.key)])]);
    expect(await stores.runs.load(job.id)).toEqual([row]);

    const end = endWrite(row.key, { status: 'failed', reason: 'timeout', message: 'no answer', data: { after: 1.5 } });
    await stores.runs.commit(fenceOf(job), [end]);
    await world().reopen();

    const { outcome, usage, units, endedAt } = end as Extract<typeof end, { op: 'step.ended' }>;
    expect(await world().stores.runs.load(job.id)).toEqual([{ ...row, outcome, usage, units, endedAt }]);
  });

  const values: readonly (readonly [string, Json])[] = [
    ['nothing', null],
    ['empty text', ''],
    ['control characters and a lone surrogate', 'a\u0000b\u001f\ud800c'],
    ['numbers at their limits', [Number.MAX_SAFE_INTEGER, -1.5e-300, 1e308, 0]],
    ['keys that objects treat specially', JSON.parse('{"__proto__":{"a":1},"constructor":2,"":3}')],
    ['a result just below the limit', 'x'.repeat(65_000)],
    ['a result above the limit', { text: 'ü'.repeat(70_000), list: [1, 2, 3] }],
    ['a result of a megabyte', 'y'.repeat(1024 * 1024)],
  ];
  it.each(values)('decodes %s to exactly what was stored', async (_, value) => {
    const { stores } = world();
    const job = await running();
    await stores.runs.commit(fenceOf(job), [
      startWrite(stepOf(job.id, 'root')),
      endWrite('root', { status: 'ok', value }),
    ]);
    await world().reopen();

    const [row] = await world().stores.runs.load(job.id);

    expect(JSON.stringify(row?.outcome)).toBe(JSON.stringify({ status: 'ok', value }));
  });

  it('loads steps in the order they were started; a repeated one keeps its place', async () => {
    const { stores } = world();
    const job = await running();
    const commit = (...writes: Parameters<typeof startWrite>[0][]) =>
      stores.runs.commit(
        fenceOf(job),
        writes.map((row) => startWrite(row)),
      );
    await commit(stepOf(job.id, 'z'), stepOf(job.id, 'a'));
    await commit(stepOf(job.id, 'm'));

    await commit(stepOf(job.id, 'z', { attempt: 2, notes: { lost: 'session' } }));

    expect((await stores.runs.load(job.id)).map((row) => [row.key, row.attempt])).toEqual([
      ['z', 2],
      ['a', 1],
      ['m', 1],
    ]);
  });

  it('adds notes to an open step and keeps those it has', async () => {
    const { stores, ids } = world();
    const job = await running();
    await stores.runs.commit(fenceOf(job), [startWrite(stepOf(job.id, 'root', { notes: { decision: 'allow' } }))]);

    await stores.runs.commit(fenceOf(job), [noteWrite('root', { session: 's-1' })]);
    await stores.runs.commit(fenceOf(job), [noteWrite('root', { session: 's-2', worktree: '/w' })]);
    const stored = await committed(stores, fenceOf(job), [
      noteWrite('root', {}, [messageEvent(ids.uuid(), 'hello', 'root')]),
    ]);

    expect((await stores.runs.load(job.id))[0]?.notes).toEqual({ decision: 'allow', session: 's-2', worktree: '/w' });
    expect(stored).toMatchObject([{ type: 'executor.message', seq: 1, stepKey: 'root' }]);
  });

  it('shares one commit between the end of a step and the start of the next, events in batch order', async () => {
    const { stores, ids } = world();
    const job = await running();
    await stores.runs.commit(fenceOf(job), [startWrite(stepOf(job.id, 'a'))]);

    const stored = await committed(stores, fenceOf(job), [
      endWrite('a', { status: 'ok', value: 1 }, [
        messageEvent(ids.uuid(), 'one', 'a'),
        messageEvent(ids.uuid(), 'two', 'a'),
      ]),
      startWrite(stepOf(job.id, 'b'), [messageEvent(ids.uuid(), 'three', 'b')]),
    ]);

    expect(stored.map((event) => [event.seq, event.stepKey])).toEqual([
      [1, 'a'],
      [2, 'a'],
      [3, 'b'],
    ]);
    expect(await stores.events.readRun(job.id, 0, 10)).toEqual(stored);
    expect((await stores.runs.load(job.id)).map((row) => row.outcome?.status)).toEqual(['ok', undefined]);
  });

  it.each([
    ['the end of a step that never started', () => [endWrite('ghost', { status: 'ok', value: 1 })]],
    ['a note on a step that never started', () => [noteWrite('ghost', { a: 1 })]],
    ['a second end', () => [endWrite('done', { status: 'ok', value: 2 })]],
    ['a start over a result', (jobId: string) => [startWrite(stepOf(jobId, 'done', { attempt: 2 }))]],
    ['a note on a finished step', () => [noteWrite('done', { a: 1 })]],
    ['a step of another run', () => [startWrite(stepOf('000000000000', 'x'))]],
    ['an end of the run inside a step', (jobId: string) => [startWrite(stepOf(jobId, 'x'), [endedEvent('e-x')])]],
  ] as const)('refuses %s and writes nothing of its batch', async (_, writes) => {
    const { stores, ids } = world();
    const job = await running();
    await stores.runs.commit(fenceOf(job), [
      startWrite(stepOf(job.id, 'done')),
      endWrite('done', { status: 'ok', value: 1 }),
    ]);
    const before = await stores.runs.load(job.id);

    const batch = [startWrite(stepOf(job.id, 'first'), [messageEvent(ids.uuid(), 'first')]), ...writes(job.id)];
    await expect(stores.runs.commit(fenceOf(job), batch)).rejects.toMatchObject({ code: 'KIT_INTERNAL' });

    expect(await stores.runs.load(job.id)).toEqual(before);
    expect(await stores.events.readRun(job.id, 0, 10)).toEqual([]);
  });

  it('does not let the refusal of one run spoil another that shares its commit', async () => {
    const { stores, ids } = world();
    const jobs = await Promise.all(Array.from({ length: 5 }, running));
    const write = (job: Job, lost: boolean) =>
      stores.runs.commit({ ...fenceOf(job), attempt: lost ? 99 : job.attempt }, [
        startWrite(stepOf(job.id, 'root'), [messageEvent(ids.uuid(), 'x', 'root')]),
      ]);

    const results = await Promise.allSettled(jobs.map((job, n) => write(job, n % 2 === 1)));

    expect(results.map((result) => result.status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ]);
    for (const [n, job] of jobs.entries()) expect(await stores.runs.load(job.id)).toHaveLength(n % 2 === 1 ? 0 : 1);
  });

  it('commits what one run hands in without waiting in call order, large results included', async () => {
    const { stores } = world();
    const job = await running();
    const fence = fenceOf(job);

    await Promise.all([
      stores.runs.commit(fence, [startWrite(stepOf(job.id, 'a'))]),
      stores.runs.commit(fence, [
        endWrite('a', { status: 'ok', value: 'x'.repeat(200_000) }),
        startWrite(stepOf(job.id, 'b')),
      ]),
      stores.runs.commit(fence, [endWrite('b', { status: 'ok', value: 2 }), startWrite(stepOf(job.id, 'c'))]),
      stores.runs.commit(fence, [endWrite('c', { status: 'ok', value: 'z'.repeat(100_000) })]),
    ]);

    expect((await stores.runs.load(job.id)).map((row) => [row.key, row.outcome?.status])).toEqual([
      ['a', 'ok'],
      ['b', 'ok'],
      ['c', 'ok'],
    ]);
  });

  it('fails what a run handed in behind a batch that failed: the journal has no holes', async () => {
    const { stores } = world();
    const job = await running();
    const fence = fenceOf(job);

    const results = await Promise.allSettled([
      stores.runs.commit(fence, [startWrite(stepOf(job.id, 'a'))]),
      stores.runs.commit(fence, [endWrite('ghost', { status: 'ok', value: 1 })]),
      stores.runs.commit(fence, [
        startWrite(stepOf(job.id, 'b', { outcome: { status: 'ok', value: 'x'.repeat(100_000) } })),
      ]),
      stores.runs.commit(fence, [startWrite(stepOf(job.id, 'c'))]),
    ]);

    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'rejected', 'rejected']);
    expect((await stores.runs.load(job.id)).map((row) => row.key)).toEqual(['a']);
    await stores.runs.commit(fence, [startWrite(stepOf(job.id, 'd'))]);
    expect((await stores.runs.load(job.id)).map((row) => row.key)).toEqual(['a', 'd']);
  });

  it('keeps the chain of a run whole when somebody else writes to it between two of its batches', async () => {
    const { stores, ids } = world();
    const job = await running();
    const fence = fenceOf(job);

    await Promise.all([
      stores.runs.commit(fence, [startWrite(stepOf(job.id, 'a'), [messageEvent(ids.uuid(), 'begins', 'a')])]),
      stores.jobs.requestStop(job.id, 'ada', stopEvent(ids.uuid())),
      stores.runs.commit(fence, [endWrite('a', { status: 'ok', value: 1 }, [messageEvent(ids.uuid(), 'ends', 'a')])]),
    ]);

    const events = await stores.events.readRun(job.id, 0, 10);
    expect(events.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'executor.message'],
      [2, 'run.stopped'],
      [3, 'executor.message'],
    ]);
    expect(events.slice(1).map(({ prevHash }) => prevHash)).toEqual(events.slice(0, 2).map(({ hash }) => hash));
  });

  it('lets nobody write under a fence that was lost between two of its batches', async () => {
    const { stores } = world();
    const job = await running();
    const fence = fenceOf(job);

    const results = await Promise.allSettled([
      stores.runs.commit(fence, [startWrite(stepOf(job.id, 'a'))]),
      stores.jobs.release(fence),
      stores.runs.commit(fence, [startWrite(stepOf(job.id, 'b'))]),
    ]);

    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected']);
    expect((await stores.runs.load(job.id)).map(({ key }) => key)).toEqual(['a']);
  });

  it('lets nobody write behind the end of a run that shares their commit, whatever other runs do in it', async () => {
    const { stores, ids } = world();
    const job = await running();
    const other = await running();
    const fence = fenceOf(job);

    const results = await Promise.allSettled([
      stores.runs.commit(fence, [startWrite(stepOf(job.id, 'a'), [messageEvent(ids.uuid(), 'begins', 'a')])]),
      running(),
      stores.jobs.heartbeat(fenceOf(other), 60_000, 5),
      stores.runs.commit(fence, [endWrite('a', { status: 'ok', value: 1 }, [messageEvent(ids.uuid(), 'ends', 'a')])]),
      stores.runs.commit(fence, [runEndWrite([endedEvent(ids.uuid())])]),
      stores.runs.commit(fence, [startWrite(stepOf(job.id, 'b'), [messageEvent(ids.uuid(), 'begins', 'b')])]),
    ]);

    expect(results.map(({ status }) => status)).toEqual([...Array(5).fill('fulfilled'), 'rejected']);
    expect((await stores.runs.load(job.id)).map(({ key }) => key)).toEqual(['a']);
    const events = await stores.events.readRun(job.id, 0, 10);
    expect(events.map(({ seq, type }) => [seq, type])).toEqual([
      [1, 'executor.message'],
      [2, 'executor.message'],
      [3, 'run.ended'],
    ]);
    expect(events.slice(1).map(({ prevHash }) => prevHash)).toEqual(events.slice(0, 2).map(({ hash }) => hash));
  });

  it('knows no steps of a run that has none', async () => {
    expect(await world().stores.runs.load('000000000000')).toEqual([]);
  });
}
