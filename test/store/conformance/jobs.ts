import { expect, it } from 'vitest';
import type { Job } from '../../../src/domain/job.js';
import type { JobFilter } from '../../../src/domain/ports/stores.js';
import {
  claimOf,
  endedEvent,
  fenceOf,
  messageEvent,
  newJob,
  resumedEvent,
  runEndWrite,
  startedEvent,
  stopEvent,
} from '../../support/store-samples.js';
import type { World } from '../../support/store-world.js';

const ids = (jobs: readonly Job[]): string[] => jobs.map((job) => job.id);

export function jobLaws(world: World): void {
  it('keeps every field of a new job, across a restart', async () => {
    const { stores, ids } = world();
    const given = newJob(ids.jobId(), {
      topology: 'review@2',
      version: '2',
      input: '{"a":"\u0000 ü 🙂"}',
      correlationId: 'T-1',
      labels: { priority: '7', team: 'core' },
      parentJobId: 'f'.repeat(12),
      source: 'trigger:nightly',
      submittedBy: { identity: 'grace', assurance: 'authenticated' },
      jobClass: 'harness',
      priority: 7,
      needs: { plugins: { '@kit-run/plugin-models': '^1.0.0' }, adapters: { codex: 'abc' } },
      recover: 'manual',
      timeoutMs: 90_000,
      attachments: [
        {
          name: 'a.png',
          mediaType: 'image/png',
          sizeBytes: 3,
          sha256: 'd'.repeat(64),
          sourcePath: 'img/a.png',
          handling: 'native',
        },
      ],
    });

    const inserted = await stores.jobs.insert(given, 'queued', []);
    await world().reopen();

    expect(inserted).toMatchObject({
      ...given,
      status: 'queued',
      attempt: 0,
      crashes: 0,
      workerId: null,
      leaseUntil: null,
      executedMs: 0,
      waitingOn: [],
    });
    expect(inserted.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(await world().stores.jobs.get(given.id)).toEqual(inserted);
  });

  it('refuses a job id that is already used and writes nothing of the second submit', async () => {
    const { stores, ids } = world();
    const id = ids.jobId();
    await stores.jobs.insert(newJob(id, { input: 'first' }), 'pending', [startedEvent(ids.uuid())]);

    await expect(
      stores.jobs.insert(newJob(id, { input: 'second' }), 'pending', [messageEvent(ids.uuid(), 'late')]),
    ).rejects.toMatchObject({
      code: 'KIT_JOB_ID_USED',
    });

    expect((await stores.jobs.get(id))?.input).toBe('first');
    expect(await stores.events.readRun(id, 0, 10)).toHaveLength(1);
  });

  it('writes the first events of a job with its row', async () => {
    const { stores, ids } = world();
    const id = ids.jobId();
    const event = startedEvent(ids.uuid());

    await stores.jobs.insert(newJob(id, { labels: { team: 'core' }, correlationId: 'T-9' }), 'pending', [event]);

    expect(await stores.events.readRun(id, 0, 10)).toMatchObject([
      { ...event, jobId: id, seq: 1, labels: { team: 'core' }, correlationId: 'T-9', prevHash: '' },
    ]);
  });

  it('lets a job be born under the lease of the process that submits it', async () => {
    const { stores, ids } = world();
    const job = await stores.jobs.insert(newJob(ids.jobId()), 'pending', [], claimOf({ workerId: 'me' }));

    expect(job).toMatchObject({ status: 'running', workerId: 'me', attempt: 1 });
    expect(job.claimedAt).not.toBeNull();
    expect(job.startedAt).not.toBeNull();
    expect(await stores.jobs.claim(claimOf({ workerId: 'other' }))).toEqual([]);
  });

  it('answers null for a job that does not exist', async () => {
    expect(await world().stores.jobs.get('000000000000')).toBeNull();
  });

  it('lists newest first, in pages, by every filter', async () => {
    const { stores, ids: make } = world();
    const given = [];
    for (let n = 0; n < 5; n++) {
      const job = newJob(make.jobId(), { topology: n % 2 === 0 ? 'even' : 'odd', correlationId: n < 2 ? 'T-1' : null });
      given.push(job.id);
      await stores.jobs.insert(job, 'pending', []);
    }
    await stores.jobs.requestStop(given[0]!, 'ada', stopEvent(make.uuid()));

    const newest = given.toReversed();
    expect(ids(await stores.jobs.list({ limit: 10 }))).toEqual(newest);
    expect(ids(await stores.jobs.list({ limit: 2 }))).toEqual(newest.slice(0, 2));
    expect(ids(await stores.jobs.list({ limit: 2, beforeId: newest[1]! }))).toEqual(newest.slice(2, 4));
    expect(ids(await stores.jobs.list({ limit: 10, topology: 'odd' }))).toEqual([given[3], given[1]]);
    expect(ids(await stores.jobs.list({ limit: 10, correlationId: 'T-1' }))).toEqual([given[1], given[0]]);
    expect(ids(await stores.jobs.list({ limit: 10, status: ['stopped', 'deferred'] }))).toEqual([given[0]]);
    expect(ids(await stores.jobs.list({ limit: 10, idPrefix: given[2]! }))).toEqual([given[2]]);
    expect(ids(await stores.jobs.list({ limit: 10, idPrefix: '00000000000' }))).toEqual(newest);
    expect(ids(await stores.jobs.list({ limit: 10, idPrefix: 'ffff' }))).toEqual([]);
    expect(
      ids(await stores.jobs.list({ limit: 10, topology: 'even', status: ['pending'], correlationId: 'T-1' })),
    ).toEqual([]);
  });

  it('lists by topology whatever its version, by one version of it, and by source', async () => {
    const { stores, ids: make } = world();
    const given: string[] = [];
    for (const [topology, version, source] of [
      ['review', '1.0.0', 'cli'],
      ['review', '2.0.0', 'serve'],
      ['review@2.0.0', '2.0.0', 'trigger:nightly'],
      ['review-more', '2.0.0', 'trigger:nightly-too'],
      ['review', null, 'chat'],
    ] as const) {
      const job = newJob(make.jobId(), { topology, version, source });
      given.push(job.id);
      await stores.jobs.insert(job, 'pending', []);
    }
    const [first, second, third, more, none] = given;
    const list = async (filter: Partial<JobFilter>) => ids(await stores.jobs.list({ limit: 10, ...filter }));

    expect(await list({ topology: 'review' })).toEqual([none, third, second, first]);
    expect(await list({ topology: 'review@2.0.0' })).toEqual([third, second]);
    expect(await list({ topology: 'review@3.0.0' })).toEqual([]);
    expect(await list({ topology: 'review@' })).toEqual([]);
    expect(await list({ topology: 'review-more' })).toEqual([more]);
    expect(await list({ topology: 'rev' })).toEqual([]);
    expect(await list({ source: 'trigger:nightly' })).toEqual([third]);
    expect(await list({ source: 'serve', topology: 'review' })).toEqual([second]);
    expect(await list({ topology: 'review', limit: 2, beforeId: none! })).toEqual([third, second]);
  });

  it('claims by priority and then by age, at most as many as asked for', async () => {
    const { stores, ids: make, elapse } = world();
    const given: string[] = [];
    for (const priority of [0, 5, 0, 9, 5]) {
      const job = newJob(make.jobId(), { priority });
      given.push(job.id);
      await stores.jobs.insert(job, 'queued', []);
      await elapse(10);
    }

    const first = await stores.jobs.claim(claimOf({ limit: 3 }));
    const rest = await stores.jobs.claim(claimOf({ limit: 3 }));

    expect(ids(first)).toEqual([given[3], given[1], given[4]]);
    expect(ids(rest)).toEqual([given[0], given[2]]);
    expect(first.every((job) => job.status === 'running' && job.workerId === 'w1' && job.attempt === 1)).toBe(true);
  });

  it('claims only what the worker can run: class, engine and one named job', async () => {
    const { stores, ids: make } = world();
    const model = newJob(make.jobId());
    const harness = newJob(make.jobId(), { jobClass: 'harness' });
    const later = newJob(make.jobId(), { engine: 99 });
    for (const job of [model, harness, later]) await stores.jobs.insert(job, 'pending', []);

    expect(ids(await stores.jobs.claim(claimOf({ jobClass: 'harness' })))).toEqual([harness.id]);
    expect(ids(await stores.jobs.claim(claimOf({ engine: 99 })))).toEqual([later.id]);
    expect(ids(await stores.jobs.claim(claimOf({ jobId: harness.id })))).toEqual([]);
    expect(ids(await stores.jobs.claim(claimOf({ jobId: model.id })))).toEqual([model.id]);
    expect(await stores.jobs.claim(claimOf())).toEqual([]);
  });

  it.each(['submitted', 'given back', 'resumed'] as const)(
    'wakes a claimer that waits for work when a job is %s',
    async (how) => {
      const { stores, ids: make } = world();
      const { signal } = new AbortController();
      const id = make.jobId();
      if (how !== 'submitted') await stores.jobs.insert(newJob(id), 'queued', []);
      const [job] = how === 'given back' ? await stores.jobs.claim(claimOf()) : [];
      if (how === 'resumed') await stores.jobs.requestStop(id, 'alice', stopEvent(make.uuid()));
      await stores.jobs.waitForWork(0, signal);
      // A wait that ends by its time alone outlives the test.
      const waiting = stores.jobs.waitForWork(3_600_000, signal);

      if (how === 'submitted') await stores.jobs.insert(newJob(id), 'queued', []);
      else if (how === 'given back') await stores.jobs.release(fenceOf(job!));
      else await stores.jobs.resume(id, resumedEvent(make.uuid()));
      await waiting;

      expect(ids(await stores.jobs.claim(claimOf()))).toEqual([id]);
    },
  );

  it('gives each job to one claimer when many ask at once', async () => {
    const { stores, ids: make } = world();
    const given = Array.from({ length: 20 }, () => make.jobId());
    await Promise.all(given.map((id) => stores.jobs.insert(newJob(id), 'queued', [])));

    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, n) => stores.jobs.claim(claimOf({ workerId: `w${n}`, limit: 4 }))),
    );

    expect(
      claims
        .flat()
        .map((job) => job.id)
        .sort(),
    ).toEqual(given.toSorted());
  });

  it('stops a job that nobody runs at once, with its single end', async () => {
    const { stores, ids: make } = world();
    const id = make.jobId();
    await stores.jobs.insert(newJob(id), 'queued', [startedEvent(make.uuid())]);

    const { job, alreadyRequested } = await stores.jobs.requestStop(id, 'ada', stopEvent(make.uuid()));

    expect(alreadyRequested).toBe(false);
    expect(job).toMatchObject({ status: 'stopped', reason: 'stop_requested', stopRequestedBy: 'ada', workerId: null });
    expect(job.parkedAt).not.toBeNull();
    const events = await stores.events.readRun(id, 0, 10);
    expect(events.map((event) => event.type)).toEqual(['run.started', 'run.stopped', 'run.parked']);
    expect(events[2]?.payload).toMatchObject({ status: 'stopped', reason: 'stop_requested' });
    expect(await stores.jobs.claim(claimOf())).toEqual([]);
  });

  it('records the first of two stop requests and tells the worker at its next heartbeat', async () => {
    const { stores, ids: make, elapse } = world();
    const job = await stores.jobs.insert(newJob(make.jobId()), 'pending', [], claimOf());
    expect(await stores.jobs.isStopRequested(job.id)).toBe(false);
    const first = await stores.jobs.requestStop(job.id, 'ada', stopEvent(make.uuid()));
    expect(await stores.jobs.isStopRequested(job.id)).toBe(true);
    expect(await stores.jobs.isStopRequested(make.jobId())).toBe(false);
    await elapse(1000);

    const second = await stores.jobs.requestStop(job.id, 'bob', stopEvent(make.uuid()));

    expect(first).toMatchObject({ alreadyRequested: false, job: { status: 'running', stopRequestedBy: 'ada' } });
    expect(second).toMatchObject({
      alreadyRequested: true,
      job: { stopRequestedBy: 'ada', stopRequestedAt: first.job.stopRequestedAt },
    });
    expect(await stores.events.readRun(job.id, 0, 10)).toHaveLength(1);
    expect(await stores.jobs.heartbeat(fenceOf(job), 60_000, 5)).toEqual({ lost: false, stopRequested: true });
  });

  it('leaves a finished job alone when a stop is asked for', async () => {
    const { stores, ids: make } = world();
    const job = await stores.jobs.insert(newJob(make.jobId()), 'pending', [], claimOf());
    await stores.runs.commit(fenceOf(job), [runEndWrite([endedEvent(make.uuid())])]);
    const before = await stores.jobs.get(job.id);

    const { job: after, alreadyRequested } = await stores.jobs.requestStop(job.id, 'ada', stopEvent(make.uuid()));

    expect(alreadyRequested).toBe(false);
    expect(after).toEqual(before);
    expect(await stores.events.readRun(job.id, 0, 10)).toHaveLength(1);
  });

  it('resumes a stopped job with its event, and clears the stop', async () => {
    const { stores, ids: make } = world();
    const id = make.jobId();
    await stores.jobs.insert(newJob(id), 'queued', []);
    await stores.jobs.requestStop(id, 'ada', stopEvent(make.uuid()));

    const job = await stores.jobs.resume(id, resumedEvent(make.uuid()));

    expect(job).toMatchObject({
      status: 'queued',
      stopRequestedAt: null,
      stopRequestedBy: null,
      reason: null,
      error: null,
      parkedAt: null,
    });
    expect(await stores.jobs.isStopRequested(id)).toBe(false);
    expect((await stores.events.readRun(id, 0, 10)).at(-1)?.type).toBe('run.resumed');
    expect(ids(await stores.jobs.claim(claimOf()))).toEqual([id]);
  });

  it('resumes straight into the lease of the process that asks', async () => {
    const { stores, ids: make } = world();
    const id = make.jobId();
    await stores.jobs.insert(newJob(id), 'pending', []);
    await stores.jobs.requestStop(id, 'ada', stopEvent(make.uuid()));

    const job = await stores.jobs.resume(id, resumedEvent(make.uuid()), claimOf({ workerId: 'me' }));

    expect(job).toMatchObject({ status: 'running', workerId: 'me', attempt: 1 });
    expect(await stores.jobs.heartbeat(fenceOf(job), 60_000, 0)).toEqual({ lost: false, stopRequested: false });
  });

  it('refuses to resume what is not parked, and what does not exist', async () => {
    const { stores, ids: make } = world();
    const id = make.jobId();
    await stores.jobs.insert(newJob(id), 'pending', []);

    await expect(stores.jobs.resume(id, resumedEvent(make.uuid()))).rejects.toMatchObject({
      code: 'KIT_JOB_NOT_RESUMABLE',
    });
    await expect(stores.jobs.resume('000000000000', resumedEvent(make.uuid()))).rejects.toMatchObject({
      code: 'KIT_JOB_UNKNOWN',
    });
    await expect(stores.jobs.requestStop('000000000000', 'ada', stopEvent(make.uuid()))).rejects.toMatchObject({
      code: 'KIT_JOB_UNKNOWN',
    });
    expect(await stores.events.readRun(id, 0, 10)).toEqual([]);
  });
}
