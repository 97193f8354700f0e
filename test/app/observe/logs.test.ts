import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createObserveApp } from '../../../src/app/observe/create-observe-app.js';
import type { LoggedRun, LogQuery } from '../../../src/app/observe/observe-app.js';
import type { StoredEvent } from '../../../src/domain/events.js';
import type { Job } from '../../../src/domain/job.js';
import { query } from '../../support/observed-run.js';
import {
  claimOf,
  endedEvent,
  eventOf,
  fenceOf,
  HERE,
  messageEvent,
  newJob,
  runEndWrite,
  startedEvent,
  startWrite,
  stepOf,
} from '../../support/store-samples.js';
import { openSqliteWorld, type SqliteWorld } from '../../support/store-world.js';

let world: SqliteWorld;
beforeAll(async () => {
  world = await openSqliteWorld();
});
afterAll(() => world.dispose());

const app = () =>
  createObserveApp({
    ids: { uuid: randomUUID },
    clock: { now: () => 0, sleep: async () => {} },
    host: HERE,
    openStores: async () => world.stores,
    maskOf: async () => (text: string) => text,
  });
const logs = (over: Partial<LogQuery> = {}): Promise<readonly LoggedRun[]> => app().logs(query(over));

/** A run in the queue, with `agents` that its log says began, and this many messages. */
async function queued(
  over: Parameters<typeof newJob>[1] = {},
  agents: readonly string[] = ['root'],
  messages = 0,
): Promise<Job> {
  const { ids, stores } = world;
  const begun = agents.map((id) => ({
    ...eventOf(ids.uuid(), 'agent.started', { role: 'root', executor: 'model', parent_key: null, activation: id }),
    agentId: id,
  }));
  const said = Array.from({ length: messages }, (_, index) => messageEvent(ids.uuid(), `message ${index}`));
  return stores.jobs.insert(newJob(ids.jobId(), over), 'queued', [
    startedEvent(ids.uuid()),
    ...(begun as never[]),
    ...said,
  ]);
}

async function all(run: LoggedRun | undefined): Promise<readonly StoredEvent[]> {
  const events: StoredEvent[] = [];
  if (run !== undefined) for await (const event of run.events) events.push(event);
  return events;
}
const shown = async (run: LoggedRun | undefined) => (await all(run)).filter((event) => run?.shows(event));
const idsOf = (runs: readonly LoggedRun[]) => runs.map(({ job }) => job.id);

describe('the log of runs', () => {
  it('counts runs and not events, the newest last, and gives each run whole', async () => {
    const first = await queued({}, ['root'], 700);
    const second = await queued({}, ['root'], 60);

    const runs = await logs({ last: 2 });

    expect(idsOf(runs)).toEqual([first.id, second.id]);
    expect(await all(runs[0])).toHaveLength(702);
    expect((await all(runs[1])).map(({ seq }) => seq)).toEqual(Array.from({ length: 62 }, (_, index) => index + 1));
    expect(idsOf(await logs())).toEqual([second.id]);
  });

  it('ends at what is there when a run goes on and nobody follows', async () => {
    const job = await queued();

    expect(await all((await logs({ run: job.id }))[0])).toHaveLength(2);
  });

  it('finds the runs of a topology behind any number of others, in every version or in one', async () => {
    const old = await queued({ topology: 'rare', version: '1.0.0' });
    const young = await queued({ topology: 'rare@2.0.0', version: '2.0.0' });
    for (let index = 0; index < 230; index += 1) await queued({ topology: 'common' });

    expect(idsOf(await logs({ topology: 'rare', last: 5 }))).toEqual([old.id, young.id]);
    expect(idsOf(await logs({ topology: 'rare', last: 1 }))).toEqual([young.id]);
    expect(idsOf(await logs({ topology: 'rare@1.0.0', last: 5 }))).toEqual([old.id]);
    await expect(logs({ topology: 'rarr' })).rejects.toMatchObject({
      code: 'KIT_FILTER_UNKNOWN',
      hint: 'Did you mean --topology rare?',
    });
    await expect(logs({ topology: 'rare@3.0.0' })).rejects.toMatchObject({ code: 'KIT_FILTER_UNKNOWN' });
    await expect(logs({ topology: 'zzzzz' })).rejects.toMatchObject({
      hint: 'There are runs of: common, rare, review.',
    });
  });

  it('shows the events of one agent, and says which agents there are when it was another', async () => {
    const job = await queued({}, ['reader', 'writer']);

    const [run] = await logs({ run: job.id, agent: 'writer' });

    expect((await shown(run)).map(({ type, agentId }) => [type, agentId])).toEqual([['agent.started', 'writer']]);
    await expect(logs({ run: job.id, agent: 'wirter' })).rejects.toMatchObject({
      code: 'KIT_FILTER_UNKNOWN',
      hint: 'Did you mean --agent writer?',
    });
    await expect(logs({ run: job.id, agent: 'nobody' })).rejects.toMatchObject({
      hint: 'Agents there: reader, writer.',
    });
  });

  it('waits for an agent that a followed run may still start', async () => {
    const job = await queued({}, ['reader']);

    expect(await logs({ run: job.id, agent: 'later', follow: true })).toHaveLength(1);
  });

  it('shows events of the named types and families, together with the other filters', async () => {
    const job = await queued({}, ['reader', 'writer'], 2);
    const typesOf = async (types: readonly string[], agent: string | null = null) =>
      (await shown((await logs({ run: job.id, types, agent }))[0])).map(({ type }) => type);

    expect(await typesOf(['executor.message'])).toEqual(['executor.message', 'executor.message']);
    expect(await typesOf(['agent', 'run.started'])).toEqual(['run.started', 'agent.started', 'agent.started']);
    expect(await typesOf(['agent', 'run'], 'reader')).toEqual(['agent.started']);
    expect(await typesOf(['run.ended'])).toEqual([]);
  });

  it.each([
    ['skil.gap', 'Did you mean --type skill.gap?'],
    ['agnet', 'Did you mean --type agent?'],
    ['', expect.stringContaining('run.started')],
    ['agent.', expect.any(String)],
    ['nothing.like.it', expect.stringContaining('or a family: a2a, agent, approval')],
  ])('refuses the event type "%s" and says what there is', async (type, hint) => {
    await expect(logs({ types: [type] })).rejects.toMatchObject({ code: 'KIT_USAGE', exitCode: 2, hint });
  });

  it('takes a unique prefix of an id, and refuses one that fits several, none, or a run of another topology', async () => {
    for (const id of ['fade00000001', 'fade00000002'])
      await world.stores.jobs.insert(newJob(id), 'queued', [startedEvent(world.ids.uuid())]);

    expect(idsOf(await logs({ run: 'fade00000001' }))).toEqual(['fade00000001']);
    await expect(logs({ run: 'fade' })).rejects.toMatchObject({
      code: 'KIT_JOB_ID_AMBIGUOUS',
      exitCode: 2,
      data: { candidates: ['fade00000002', 'fade00000001'] },
    });
    await expect(logs({ run: 'ffffffffffff' })).rejects.toMatchObject({ code: 'KIT_JOB_UNKNOWN', exitCode: 2 });
    await expect(logs({ run: 'fade00000001', topology: 'rare' })).rejects.toMatchObject({ code: 'KIT_FILTER_UNKNOWN' });
  });

  it('of a workspace that never ran anything is empty, and a named run is unknown there', async () => {
    const none = createObserveApp({
      ids: { uuid: randomUUID },
      clock: { now: () => 0, sleep: async () => {} },
      host: HERE,
      openStores: async () => null,
      maskOf: async () => (text: string) => text,
    });

    expect(await none.logs(query())).toEqual([]);
    expect(await none.status({ workspace: '', limit: 5 })).toEqual([]);
    expect(await none.gaps({ workspace: '' })).toEqual([]);
    expect(await none.inert({ workspace: '' })).toEqual([]);
    await expect(none.logs(query({ run: 'abc' }))).rejects.toMatchObject({ code: 'KIT_JOB_UNKNOWN' });
    await expect(none.trace({ workspace: '', run: 'abc' })).rejects.toMatchObject({ code: 'KIT_JOB_UNKNOWN' });
    await expect(none.report({ workspace: '', run: 'abc' })).rejects.toMatchObject({ code: 'KIT_JOB_UNKNOWN' });
    await expect(none.logs(query({ types: ['nonsense'] }))).rejects.toMatchObject({ code: 'KIT_USAGE' });
  });
});

describe('a log that is followed', () => {
  it('shows what is committed meanwhile and ends with the run', async () => {
    const { ids, stores } = world;
    const job = await stores.jobs.insert(
      newJob(ids.jobId(), { topology: 'live' }),
      'queued',
      [startedEvent(ids.uuid())],
      claimOf(),
    );
    const [run] = await logs({ run: job.id, follow: true });
    const seen: StoredEvent[] = [];
    const arrived = Promise.withResolvers<void>();
    const reading = (async () => {
      for await (const event of run?.events ?? []) {
        seen.push(event);
        if (event.type === 'executor.message') arrived.resolve();
      }
    })();

    const row = stepOf(job.id, 'root/h');
    await stores.runs.commit(fenceOf(job), [startWrite(row, [messageEvent(ids.uuid(), 'under way')])]);
    await arrived.promise;
    await stores.runs.commit(fenceOf(job), [runEndWrite([endedEvent(ids.uuid())])]);
    await reading;

    expect(seen.map(({ type }) => type)).toEqual(['run.started', 'executor.message', 'run.ended']);
  });

  it('ends quietly when the reader has had enough', async () => {
    const job = await queued({ topology: 'waiting' });
    const reader = new AbortController();
    const [run] = await logs({ run: job.id, follow: true, signal: reader.signal });
    const seen: StoredEvent[] = [];

    for await (const event of run?.events ?? []) {
      seen.push(event);
      if (seen.length === 2) reader.abort();
    }

    expect(seen).toHaveLength(2);
  });

  it('is one run: several are refused', async () => {
    await expect(logs({ follow: true, last: 2 })).rejects.toMatchObject({ code: 'KIT_USAGE', exitCode: 2 });
  });
});
