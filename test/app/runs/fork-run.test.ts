import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { LOCAL_AUTH } from '../../../src/domain/gates.js';
import type { Job } from '../../../src/domain/job.js';
import type { Stores } from '../../../src/domain/ports/stores.js';
import { funnel, ONE_RULE, roles } from '../../compile/rules/artifact-text.js';
import { type ModelServer, startModelServer } from '../../support/model-server.js';
import { openSceneApp, type SceneApp } from '../../support/scene/scene-app.js';

const agents = (two = ''): string =>
  `agents: { root: { id: root, role: root, model: { provider: mock }, children: [ { id: one, role: worker, model: { provider: mock } }, { id: two, role: worker, model: { provider: mock }${two} } ] } }\n`;
const topology = (two = ''): string =>
  `apiVersion: kit/v1\nkind: Topology\nmetadata: { name: t, version: 1.0.0 }\n${agents(two)}`;

let directory: string;
let server: ModelServer;
const apps: SceneApp[] = [];
/** Calls the one skill it is offered, once. */
beforeAll(async () => {
  server = await startModelServer(({ body }) =>
    body.messages.at(-1)?.role === 'tool'
      ? { do: 'answer', text: 'done' }
      : { do: 'answer', calls: [{ name: 'call', arguments: { input: 'go' } }] },
  );
});
afterAll(() => server.close());
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kit-fork-'));
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
  await rm(directory, { recursive: true, force: true });
});

async function openApp(files: Readonly<Record<string, string>> = {}): Promise<SceneApp> {
  const all = {
    'workspace.yaml': 'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: w, name: W }\nmemory: { enabled: false }\n',
    'topologies/t.yaml': topology(),
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  const app = openSceneApp(directory, {
    env: {
      MODEL_URL: server.url,
      LOCAL_KEY: 'key-of-the-test',
      PATH: process.env.PATH ?? '',
      HOME: directory,
      XDG_CONFIG_HOME: join(directory, '.config'),
      KIT_MOCK_DELEGATE: '1',
    },
  });
  apps.push(app);
  return app;
}

const run = async (app: SceneApp): Promise<Job> => {
  const handle = await app.runs.start({
    workspace: directory,
    topology: 't',
    input: 'Go.',
    attachments: [],
    correlationId: 'one-piece',
    labels: { team: 'a' },
    supersedes: null,
    submittedBy: { identity: 'dana', assurance: 'asserted' },
    timeoutMs: null,
    trust: [],
  });
  return handle.done;
};
const fork = async (app: SceneApp, job: Job, from: string): Promise<Job> =>
  (await app.runs.fork({ workspace: directory, job: job.id, from, by: 'alice', trust: [] })).done;
const asked = async (stores: Stores, job: Job): Promise<readonly (string | null)[]> =>
  (await stores.events.readRun(job.id, 0, 1000))
    .filter(({ type }) => type === 'model.called')
    .map(({ stepKey }) => stepKey);
/** Everything that is kept of a run, but for nothing. */
const all = async (stores: Stores, id: string) => [
  await stores.jobs.get(id),
  await stores.runs.load(id),
  await stores.events.readRun(id, 0, 1000),
];

describe('a fork', () => {
  it('runs the step and what follows, takes over what was finished before, and leaves the source as it was', async () => {
    const app = await openApp();
    const source = await run(app);
    const stores = await app.stores();
    const before = await all(stores, source.id);

    const forked = await fork(app, source, 'root/d0/t0/c1:two');

    expect(forked).toMatchObject({
      status: 'completed',
      output: source.output,
      snapshot: source.snapshot,
      correlationId: 'one-piece',
      labels: { team: 'a', forked_from: source.id, forked_at: 'root/d0/t0/c1:two' },
      submittedBy: { identity: 'alice' },
      attempt: 2,
    });
    // The journal lists c0:one and what it called before; only what came later is asked of the
    // model again.
    expect(await asked(stores, forked)).toEqual(expect.arrayContaining(['root/d0/t0/c1:two/d0/t0', 'root/d0/t1']));
    expect(await asked(stores, forked)).not.toContain('root/d0/t0');
    expect(await all(stores, source.id)).toEqual(before);
  });

  it('from the first step is the whole run again', async () => {
    const app = await openApp();
    const source = await run(app);

    const forked = await fork(app, source, 'root');

    expect(await asked(await app.stores(), forked)).toHaveLength((await asked(await app.stores(), source)).length);
  });

  it('asks people again: no signature crosses over', async () => {
    const app = await openApp({
      'topologies/t.yaml': topology(', funnel: gate'),
      'funnels/gate.yaml': funnel(
        'gate',
        ONE_RULE('{ scope: release:sign, roles: [lead], quorum: all }', 'exclude_author: false'),
      ),
      'roles/people.yaml': roles('[{ id: lead, members: [alice], scopes: ["release:sign"] }]'),
    });
    const parked = await run(app);
    const { items } = await app.review.list({
      workspace: directory,
      kind: null,
      gate: null,
      show: 'pending',
      limit: 9,
      afterId: null,
    });
    await app.review.resolve({
      workspace: directory,
      item: items[0]?.id ?? '',
      identity: 'alice',
      auth: LOCAL_AUTH,
      outcome: 'approve',
      comment: '',
    });
    const resumed = await app.runs.resume({
      workspace: directory,
      job: parked.id,
      topology: null,
      by: 'dana',
      trust: [],
    });
    const source = await resumed.done;

    const forked = await fork(app, source, 'root/d0/t1');

    expect(source.status).toBe('completed');
    expect(forked).toMatchObject({ status: 'deferred', waitingOn: [`${forked.id}:two`] });
  });

  it('of a parked run asks the same people in its own name, and the source waits as it did', async () => {
    const app = await openApp({
      'topologies/t.yaml': topology(', funnel: gate'),
      'funnels/gate.yaml': funnel(
        'gate',
        ONE_RULE('{ scope: release:sign, roles: [lead], quorum: all }', 'exclude_author: false'),
      ),
      'roles/people.yaml': roles('[{ id: lead, members: [alice], scopes: ["release:sign"] }]'),
    });
    const source = await run(app);
    const stores = await app.stores();
    const waits = async () => [
      ...(await all(stores, source.id)),
      { ...(await stores.reviews.state(source.id)), now: '' },
    ];
    const before = await waits();

    const forked = await fork(app, source, 'root/d0/t0/c1:two');

    expect(source).toMatchObject({ status: 'deferred', waitingOn: [`${source.id}:two`] });
    expect(forked).toMatchObject({ status: 'deferred', waitingOn: [`${forked.id}:two`] });
    expect(await asked(stores, forked)).not.toContain('root/d0/t0');
    expect(await waits()).toEqual(before);
  });

  it('takes over what a run that the source asked for came to, or asks for one of its own', async () => {
    const app = await openApp({
      'topologies/t.yaml':
        'apiVersion: kit/v1\nkind: Topology\nmetadata: { name: t, version: 1.0.0 }\nagents: { root: { id: root, role: root, model: { provider: calls, name: m1 }, skills: [call] } }\n',
      'topologies/second.yaml':
        'apiVersion: kit/v1\nkind: Topology\nmetadata: { name: second, version: 1.0.0 }\nagents: { root: { id: other, role: root, model: { provider: mock } } }\n',
      'skills/call.yaml':
        'apiVersion: kit/v1\nkind: Skill\nmetadata: { id: call, name: Call, description: Calls another topology. }\ncategory: capability\nimplementation: { type: agent, topology: second }\nprovenance: { authored_by: human, version: 1.0.0 }\n',
      'providers/calls.yaml': `apiVersion: kit/v1
kind: ModelProvider
metadata: { id: calls, name: Calls, description: Calls a skill once. }
spec: { extends: openai-compatible, base_url: "\${MODEL_URL}", models: { accept_any: true }, auth: { api_key_env: LOCAL_KEY } }
provenance: { authored_by: human, version: 1.0.0 }
`,
    });
    const source = await run(app);
    const stores = await app.stores();
    const children = async (id: string) =>
      (await stores.jobs.list({ limit: 20 })).filter(({ callerJobId }) => callerJobId === id);
    const [child] = await children(source.id);
    const before = await all(stores, child?.id ?? '');

    const models = (await asked(stores, source)).map((key) => key ?? '');
    const tail = await fork(app, source, models.at(-1) ?? '');
    const whole = await fork(app, source, models[0] ?? '');

    expect([source, tail, whole].map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);
    expect(await children(tail.id)).toEqual([]);
    expect(await children(whole.id)).toMatchObject([{ status: 'completed', topology: 'second' }]);
    expect(await all(stores, child?.id ?? '')).toEqual(before);
  });

  it('is refused when a result that it needs was removed, and writes nothing', async () => {
    const app = await openApp();
    const source = await run(app);
    const stores = await app.stores();
    await stores.runs.prune({ endedBefore: new Date(Date.now() + 1000).toISOString(), limit: 10 });

    await expect(fork(app, source, 'root/d0/t1')).rejects.toMatchObject({
      code: 'KIT_JOURNAL_PRUNED',
      message: expect.stringContaining('the result of root/d0/t0, which comes before, was removed'),
    });
    await expect(fork(app, source, 'root/d0/t9')).rejects.toMatchObject({ code: 'KIT_STEP_UNKNOWN' });

    expect(await stores.jobs.list({ limit: 10 })).toHaveLength(1);
  });
});
