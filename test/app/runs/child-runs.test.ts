import { rm, writeFile } from 'node:fs/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { entryEvent } from '../../../src/app/entry-events.js';
import { explain } from '../../../src/app/review/why.js';
import type { StartRun } from '../../../src/app/runs/runs-app.js';
import { LOCAL_AUTH } from '../../../src/domain/gates.js';
import type { Job } from '../../../src/domain/job.js';
import type { RunWrite } from '../../../src/domain/journal.js';
import { createClock } from '../../../src/system/clock.js';
import { createIds } from '../../../src/system/ids.js';
import { readWorkerHost } from '../../../src/system/worker-host.js';
import { reduceRun } from '../../../src/view/reduce-run.js';
import { EMPTY_RUN } from '../../../src/view/run-view.js';
import { archetype, funnel, ONE_RULE, roles, topology } from '../../compile/rules/artifact-text.js';
import { createDatabase } from '../../support/components/postgres.js';
import { act, submitted, untilStatus } from '../../support/http/ask.js';
import { makeDirectory, openServeScene, writeFiles } from '../../support/http/serve-scene.js';
import { dyingStores } from '../../support/scene/dying-stores.js';
import { type EagerModel, startEagerModel } from '../../support/scene/eager-model.js';
import { openSceneApp, type SceneApp } from '../../support/scene/scene-app.js';

const MODEL = 'model: { provider: local, name: m1 }';
const PROVIDER = `apiVersion: kit/v1
kind: ModelProvider
metadata: { id: local, name: Local, description: A model server of this machine. }
spec: { extends: openai-compatible, base_url: "\${MODEL_URL}", auth: { api_key_env: LOCAL_KEY }, models: { accept_any: true } }
provenance: { authored_by: human, version: 1.0.0 }
`;
const WORKSPACE = `apiVersion: kit/v1
kind: Workspace
metadata: { id: w, name: W }
memory: { enabled: false }
server: { jobs: { max_concurrent: 2 } }
`;
const RULE = ONE_RULE('{ scope: release:sign, roles: [lead], quorum: all }');

const FILES: Readonly<Record<string, string>> = {
  'workspace.yaml': WORKSPACE,
  'providers/local.yaml': PROVIDER,
  'topologies/caller.yaml': topology('caller', `${MODEL}, skills: [topology-called]`),
  'topologies/called.yaml': topology('called', MODEL),
};
const GATED: Readonly<Record<string, string>> = {
  'topologies/called.yaml': topology('called', `funnel: gate, ${MODEL}`),
  'funnels/gate.yaml': funnel('gate', RULE),
  'roles/people.yaml': roles('[{ id: lead, members: [alice], scopes: ["release:sign"] }]'),
};

const inputSchema = (properties: string): string =>
  `input_schema: { type: object, required: [n], properties: { ${properties} } }\n`;

let model: EagerModel;
let directory: string;
const open: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  model = await startEagerModel();
});
afterAll(() => model.close());
beforeEach(async () => {
  directory = '';
});
afterEach(async () => {
  for (const app of open.splice(0)) await app.close();
  if (directory !== '') await rm(directory, { recursive: true, force: true });
});

const envOf = (): Readonly<Record<string, string>> => ({
  PATH: process.env.PATH ?? '',
  HOME: directory,
  XDG_CONFIG_HOME: `${directory}/.config`,
  MODEL_URL: model.open().url,
  LOCAL_KEY: 'key-of-the-test',
});

async function openApp(files: Readonly<Record<string, string>> = {}): Promise<SceneApp> {
  directory = await makeDirectory({ ...FILES, ...files });
  const app = openSceneApp(directory, { env: envOf() });
  open.push(app);
  return app;
}

const start = (over: Partial<StartRun> = {}): StartRun => ({
  workspace: directory,
  topology: 'caller',
  input: 'Say hello.',
  attachments: [],
  correlationId: 'corr-1',
  labels: { team: 'blue' },
  supersedes: null,
  submittedBy: { identity: 'tester', assurance: 'asserted' },
  timeoutMs: null,
  trust: [],
  ...over,
});

const childrenOf = async (app: SceneApp, id: string): Promise<readonly Job[]> =>
  (await (await app.stores()).jobs.list({ limit: 100 })).filter(({ callerJobId }) => callerJobId === id);

describe('a run that asks for a run of another topology', () => {
  it('has its result, from a job of its own with the labels of the caller', async () => {
    const app = await openApp();

    const job = await (await app.runs.start(start())).done;

    expect(job).toMatchObject({ status: 'completed', error: null });
    const [child, ...others] = await childrenOf(app, job.id);
    expect(others).toEqual([]);
    expect(child).toMatchObject({
      status: 'completed',
      source: 'agent',
      topology: 'called',
      labels: { team: 'blue' },
      correlationId: 'corr-1',
    });
    expect(child).toMatchObject({ submittedBy: { identity: 'tester' }, timeoutMs: 600_000 });
    expect(job.output).toContain(child?.output ?? 'no output');
    const events = await (await app.stores()).events.readRun(job.id, 0, 1000);
    expect(events.filter(({ type }) => type === 'skill.executed')).toMatchObject([
      { payload: { tool: 'topology-called', status: 'ok' } },
    ]);
    expect(events.filter(({ type }) => type === 'run.parked' || type === 'run.ended').map(({ type }) => type)).toEqual([
      'run.ended',
    ]);
  });

  it('has used what its child has used, and waited for as long as that took, in its events as in its row', async () => {
    const app = await openApp();

    const job = await (await app.runs.start(start())).done;

    const stores = await app.stores();
    const events = await stores.events.readRun(job.id, 0, 1000);
    const view = events.reduce(reduceRun, EMPTY_RUN);
    expect(view.usage).toMatchObject({ inputTokens: 30, outputTokens: 15 });
    expect(view.usage).toMatchObject({ inputTokens: job.usage?.inputTokens, outputTokens: job.usage?.outputTokens });
    const [child] = await childrenOf(app, job.id);
    const [called] = events.flatMap((event) => (event.type === 'skill.executed' ? [event.payload] : []));
    expect(called).toMatchObject({
      input_tokens: child?.usage?.inputTokens,
      output_tokens: child?.usage?.outputTokens,
    });
    expect(called?.duration_ms).toBeGreaterThanOrEqual(
      Date.parse(child?.completedAt ?? '') - Date.parse(child?.createdAt ?? ''),
    );
  });

  it('waits for the people that its child waits for, and goes on when they have decided', async () => {
    const app = await openApp(GATED);

    const parked = await (await app.runs.start(start())).done;

    const [child] = await childrenOf(app, parked.id);
    expect(child?.status).toBe('deferred');
    expect(parked).toMatchObject({
      status: 'deferred',
      waitingOn: [child?.id],
      error: expect.stringContaining(`${child?.id}:root`),
    });
    const stores = await app.stores();
    const state = await stores.reviews.state(child?.id ?? '');
    const item = state?.items[0]?.id ?? '';
    // Who asks about the caller is told of the gates below it, and of the command that decides
    // there.
    const why = await app.review.why({ workspace: directory, what: parked.id });
    expect(why.gates.map(({ gateId }) => gateId)).toEqual([`${child?.id}:root`]);
    expect(why.situation).toMatchObject({
      code: 'waiting.gate',
      command: ['kit', 'review', 'resolve', item, '--as', 'alice', '--approve'],
    });
    await app.review.resolve({
      workspace: directory,
      item,
      identity: 'alice',
      auth: LOCAL_AUTH,
      outcome: 'approve',
      comment: '',
    });
    const done = await (
      await app.runs.resume({ workspace: directory, job: child?.id ?? '', topology: null, by: 'tester', trust: [] })
    ).done;
    expect(done.status).toBe('completed');
    expect((await stores.jobs.get(parked.id))?.status).toBe('pending');
    const job = await (
      await app.runs.resume({ workspace: directory, job: parked.id, topology: null, by: 'tester', trust: [] })
    ).done;
    expect(job).toMatchObject({ status: 'completed' });
    expect((await childrenOf(app, parked.id)).map(({ id }) => id)).toEqual([child?.id]);
  });

  it.each([
    ['the caller waits', (write: RunWrite) => write.op === 'run.parked'],
    ['the call is noted', (write: RunWrite) => write.op === 'step.noted'],
    ['the child has ended', (write: RunWrite) => write.op === 'run.ended'],
  ] as const)('goes on after its process died when %s, and has asked for one run', async (_when, diesAfter) => {
    directory = await makeDirectory(FILES);
    const doomed = openSceneApp(directory, { env: envOf(), isDoomed: true, wrap: dyingStores(diesAfter) });
    const handle = await doomed.runs.start(start());
    await handle.done.catch(() => undefined);
    await doomed.close();
    const app = openSceneApp(directory, { env: envOf() });
    open.push(app);

    const job = await (
      await app.runs.resume({ workspace: directory, job: null, topology: null, by: 'tester', trust: [] })
    ).done;

    expect(job).toMatchObject({ id: handle.job.id, status: 'completed' });
    expect((await childrenOf(app, job.id)).map(({ status }) => status)).toEqual(['completed']);
  });

  it('offers the input schema of the topology as that of the tool, and hands the arguments on', async () => {
    const app = await openApp({
      'topologies/called.yaml': topology('called', MODEL, inputSchema('n: { type: integer }')),
    });

    const job = await (await app.runs.start(start())).done;

    expect(await childrenOf(app, job.id)).toMatchObject([{ status: 'completed', input: '{"n":7}' }]);
  });

  it('gets a failed call for a topology that cannot run', async () => {
    const app = await openApp({
      'topologies/called.yaml': topology('called', 'model: { provider: elsewhere, name: m1 }'),
    });

    const job = await (await app.runs.start(start())).done;

    expect([job.status, await childrenOf(app, job.id)]).toEqual(['completed', []]);
    const events = await (await app.stores()).events.readRun(job.id, 0, 1000);
    expect(events.filter(({ type }) => type === 'skill.executed')).toMatchObject([
      { payload: { status: 'failed', reason: 'KIT_PROVIDER_UNKNOWN' } },
    ]);
  });

  it('is carried out as it was when its caller was submitted, whatever the files say by then', async () => {
    directory = await makeDirectory(FILES);
    const isNoted = (write: RunWrite): boolean => write.op === 'step.noted';
    const doomed = openSceneApp(directory, { env: envOf(), isDoomed: true, wrap: dyingStores(isNoted) });
    const handle = await doomed.runs.start(start());
    await handle.done.catch(() => undefined);
    await doomed.close();
    await rm(`${directory}/topologies/called.yaml`);
    await writeFile(`${directory}/topologies/caller.yaml`, topology('caller', MODEL));
    const app = openSceneApp(directory, { env: envOf() });
    open.push(app);

    const job = await (
      await app.runs.resume({ workspace: directory, job: handle.job.id, topology: null, by: 'tester', trust: [] })
    ).done;

    expect(job).toMatchObject({ status: 'completed', error: null });
    expect(await childrenOf(app, job.id)).toMatchObject([
      { status: 'completed', topology: 'called', version: '1.0.0' },
    ]);
  });

  it('says no more of its going on than that it began and ended, when it is resumed while it waits', async () => {
    directory = await makeDirectory(FILES);
    const doomed = openSceneApp(directory, {
      env: envOf(),
      isDoomed: true,
      wrap: dyingStores((write) => write.op === 'run.parked'),
    });
    const handle = await doomed.runs.start(start());
    await handle.done.catch(() => undefined);
    await doomed.close();
    const app = openSceneApp(directory, { env: envOf() });
    open.push(app);

    await (await app.runs.resume({ workspace: directory, job: handle.job.id, topology: null, by: 'tester', trust: [] }))
      .done;

    const events = await (await app.stores()).events.readRun(handle.job.id, 0, 1000);
    expect(events.map(({ type }) => type).filter((type) => /^run\./.test(type))).toEqual(['run.started', 'run.ended']);
  });

  it('ends where topologies that are all offered call each other without end', async () => {
    const app = await openApp({
      'archetypes/all.yaml': archetype('all', "{ skills: ['pack:workspace'] }").replace('role: worker', 'role: root'),
      'topologies/caller.yaml': topology('caller', `archetype: all, ${MODEL}`),
      'topologies/called.yaml': topology('called', `archetype: all, ${MODEL}`),
    });

    const job = await (await app.runs.start(start())).done;

    const all = await (await app.stores()).jobs.list({ limit: 100 });
    expect([job.status, all.length, new Set(all.map(({ status }) => status))]).toEqual([
      'completed',
      6,
      new Set(['completed']),
    ]);
  });
});

/** The called topology asks for a third one. */
const THREE: Readonly<Record<string, string>> = {
  ...FILES,
  'topologies/called.yaml': topology('called', `${MODEL}, skills: [topology-below]`),
  'topologies/below.yaml': topology('below', MODEL),
};
const slots = (count: number): string => WORKSPACE.replace('max_concurrent: 2', `max_concurrent: ${count}`);
const withSource = (jobs: readonly Job[]) =>
  jobs.map(({ topology: name, source, status }) => `${name} ${source} ${status}`).toSorted();
const families = (count: number): readonly string[] =>
  ['below agent completed', 'called agent completed', 'caller serve completed'].flatMap((one) =>
    Array.from({ length: count }, () => one),
  );

describe.each([1, 2, 3])('a server with %i slots', (count) => {
  it('carries out as many runs at once that each ask for a run, which asks for one', { timeout: 90_000 }, async () => {
    directory = await makeDirectory({ ...THREE, 'workspace.yaml': slots(count) });
    const scene = await openServeScene(directory, { env: envOf() });
    try {
      const answers = await Promise.all(
        Array.from({ length: count }, (_, n) => submitted(scene, 'caller', { input: `${n}` })),
      );
      const ids = answers.map((answer): string => answer.json().id);
      const stores = await scene.stores();
      await expect
        .poll(async () => Promise.all(ids.map(async (id) => (await stores.jobs.get(id))?.status)), { timeout: 60_000 })
        .toEqual(ids.map(() => 'completed'));
      expect(withSource(await stores.jobs.list({ limit: 100 }))).toEqual(families(count));
      await expect.poll(() => scene.serve.load().active).toBe(0);
    } finally {
      await scene.stop();
    }
  });
});

describe('a server with two slots', () => {
  it('stops every run below with the run that asked for it, and goes on with all of them', {
    timeout: 60_000,
  }, async () => {
    directory = await makeDirectory({
      ...FILES,
      'topologies/called.yaml': topology('called', `${MODEL}, skills: [topology-slow]`),
      'topologies/slow.yaml': topology('slow', 'model: { provider: mock }'),
    });
    const scene = await openServeScene(directory, { env: { ...envOf(), KIT_MOCK_LATENCY_MS: '1500' } });
    try {
      const { id } = (await submitted(scene, 'caller', { input: 'x' })).json();
      const stores = await scene.stores();
      const family = async () =>
        (await stores.jobs.list({ limit: 100 })).map(({ topology, status }) => `${topology} ${status}`).toSorted();
      const slow = async (): Promise<Job | undefined> =>
        (await stores.jobs.list({ limit: 100 })).find((job) => job.topology === 'slow');
      await expect.poll(async () => (await slow())?.status).toBe('running');
      await expect.poll(async () => (await childrenOf(scene, id))[0]?.workerId).toBeNull();
      const [child] = await childrenOf(scene, id);
      const lowest = (await slow())?.id;
      const { situation } = await explain(
        stores,
        { roles: [], identities: [], digest: '' },
        { job: child as Job, gateId: null },
      );
      expect(situation).toMatchObject({
        code: 'running.waits-for-runs',
        cause: expect.stringContaining(`${lowest}`),
        command: ['kit', 'why', lowest],
      });

      expect((await act(scene, `/jobs/${id}/stop`)).json()).toMatchObject({ status: 'stopped' });

      expect((await childrenOf(scene, id))[0]).toMatchObject({ status: 'stopped', stopRequestedBy: `run ${id}` });
      const below = await slow();
      expect(below?.stopRequestedBy).toBe(`run ${below?.callerJobId}`);
      await act(scene, `/jobs/${id}/resume`);
      await untilStatus(scene, id, 'completed');
      expect(await family()).toEqual(['called completed', 'caller completed', 'slow completed']);
    } finally {
      await scene.stop();
    }
  });

  it('parks the whole family with the gate of the last one, and one decision lets all of them go on', {
    timeout: 60_000,
  }, async () => {
    directory = await makeDirectory({
      ...THREE,
      ...GATED,
      'topologies/called.yaml': THREE['topologies/called.yaml'] ?? '',
    });
    const gated = { 'topologies/below.yaml': topology('below', `funnel: gate, ${MODEL}`) };
    writeFiles(directory, gated);
    const scene = await openServeScene(directory, { env: envOf() });
    try {
      const { id } = (await submitted(scene, 'caller', { input: 'x' })).json();
      await untilStatus(scene, id, 'deferred');
      const why = await scene.review.why({ workspace: directory, what: id });
      const [gate] = why.gates;
      const [child] = await childrenOf(scene, id);
      const [grandchild] = await childrenOf(scene, child?.id ?? '');
      expect(gate?.gateId).toBe(`${grandchild?.id}:root`);
      expect((await (await scene.stores()).jobs.get(id))?.error).toContain(`${grandchild?.id}:root`);

      const item = gate?.actors[0]?.itemId ?? '';
      await scene.review.resolve({
        workspace: directory,
        item,
        identity: 'alice',
        auth: LOCAL_AUTH,
        outcome: 'approve',
        comment: '',
      });

      await untilStatus(scene, id, 'completed');
      expect(withSource(await (await scene.stores()).jobs.list({ limit: 100 }))).toEqual(families(1));
    } finally {
      await scene.stop();
    }
  });

  it('does not begin a child whose caller was stopped by a process that died before it stopped the child', {
    timeout: 60_000,
  }, async () => {
    directory = await makeDirectory(FILES);
    const env = envOf();
    const doomed = openSceneApp(directory, {
      env,
      isDoomed: true,
      wrap: dyingStores((write) => write.op === 'run.parked'),
    });
    const { job } = await doomed.runs.start(start());
    const before = await doomed.stores();
    await expect
      .poll(async () => (await childrenOf(doomed, job.id)).map(({ status }) => status), { timeout: 20_000 })
      .toEqual(['pending']);
    await expect.poll(async () => (await before.jobs.get(job.id))?.workerId).toBeNull();
    const stop = entryEvent(
      { ids: createIds(readWorkerHost()), clock: createClock() },
      { type: 'run.stopped', topology: 'caller', payload: { requested_by: 'tester', at: new Date().toISOString() } },
    );
    await before.jobs.requestStop(job.id, 'tester', stop);
    await doomed.close();

    const scene = await openServeScene(directory, { env });
    try {
      await expect.poll(async () => (await childrenOf(scene, job.id))[0]?.status).toBe('stopped');
      expect((await childrenOf(scene, job.id))[0]).toMatchObject({ reason: 'stop_requested', usage: null });

      await act(scene, `/jobs/${job.id}/resume`);
      await untilStatus(scene, job.id, 'completed');
      expect((await childrenOf(scene, job.id)).map(({ status }) => status)).toEqual(['completed']);
    } finally {
      await scene.stop();
    }
  });

  it('tells the run when a person stops its child', { timeout: 60_000 }, async () => {
    directory = await makeDirectory({ ...FILES, ...GATED });
    const scene = await openServeScene(directory, { env: envOf() });
    try {
      const { id } = (await submitted(scene, 'caller', { input: 'x' })).json();
      await expect.poll(async () => (await childrenOf(scene, id))[0]?.status).toBe('deferred');

      await untilStatus(scene, id, 'deferred');
      await act(scene, `/jobs/${(await childrenOf(scene, id))[0]?.id}/stop`);

      await untilStatus(scene, id, 'completed');
      const events = await (await scene.stores()).events.readRun(id, 0, 1000);
      expect(events.filter(({ type }) => type === 'skill.executed')).toMatchObject([
        { payload: { status: 'failed', reason: 'child_stopped' } },
      ]);
    } finally {
      await scene.stop();
    }
  });
});

describe('two processes on one database', () => {
  it.each([1, 2])(
    'carry out %i runs each that ask for runs below them, in as many slots as there are runs',
    { timeout: 180_000 },
    async (count) => {
      const database = await createDatabase();
      directory = await makeDirectory({ ...THREE, 'workspace.yaml': slots(count) });
      const storage = { backend: 'postgres', url: database.url, setting: 'a test' } as const;
      const scenes = [
        await openServeScene(directory, { env: envOf(), storage }),
        await openServeScene(directory, { env: envOf(), storage }),
      ];
      try {
        const asked = scenes.flatMap((scene) =>
          Array.from({ length: count }, () => submitted(scene, 'caller', { input: 'x' })),
        );
        const ids = (await Promise.all(asked)).map((answer): string => answer.json().id);
        const stores = await (scenes[0] as (typeof scenes)[number]).stores();
        const statuses = () => Promise.all(ids.map(async (id) => (await stores.jobs.get(id))?.status));
        await expect.poll(statuses, { timeout: 90_000 }).toEqual(ids.map(() => 'completed'));
        expect(withSource(await stores.jobs.list({ limit: 100 }))).toEqual(families(2 * count));
      } finally {
        for (const scene of scenes) await scene.stop();
        await database.drop();
      }
    },
  );

  it('go on with a run whose topologies the other one lacks', { timeout: 120_000 }, async () => {
    const database = await createDatabase();
    directory = await makeDirectory({ ...THREE, 'workspace.yaml': slots(1) });
    const bare = await makeDirectory({
      'workspace.yaml': slots(1),
      'providers/local.yaml': PROVIDER,
      'topologies/other.yaml': topology('other', MODEL),
    });
    const storage = { backend: 'postgres', url: database.url, setting: 'a test' } as const;
    const env = envOf();
    try {
      const api = await openServeScene(directory, { env, storage, role: 'api' });
      const { id } = (await submitted(api, 'caller', { input: 'x' })).json();
      const worker = await openServeScene(bare, { env, storage });
      try {
        const stores = await api.stores();
        await expect.poll(async () => (await stores.jobs.get(id))?.status).toBe('completed');
        expect(withSource(await stores.jobs.list({ limit: 100 }))).toEqual(families(1));
      } finally {
        await worker.stop();
        await api.stop();
      }
    } finally {
      await rm(bare, { recursive: true, force: true });
      await database.drop();
    }
  });
});
