import { expect, it, onTestFinished } from 'vitest';
import { LOCAL_AUTH } from '../../../../src/domain/gates.js';
import { localProvider } from '../../../e2e/workspaces.js';
import { read } from '../../../support/http/ask.js';
import { idleTopology, idleWorkspace } from '../../../support/http/idle-workspace.js';
import { as } from '../../../support/http/serve-group.js';
import { makeDirectory, openServeScene, type ServeScene, withServeScene } from '../../../support/http/serve-scene.js';
import { startModelServer } from '../../../support/model-server.js';

type Frame = Readonly<Record<string, unknown>>;

const framesOf = (body: string): readonly Frame[] =>
  body
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)));

const begin = async (scene: ServeScene, topology = 'idle') =>
  scene.server.inject({ method: 'POST', url: '/conversations', headers: as('run', 'ada'), payload: { topology } });
const say = (scene: ServeScene, id: string, message: string) =>
  scene.server.inject({
    method: 'POST',
    url: `/conversations/${id}/messages`,
    headers: as('run', 'ada'),
    payload: { message },
  });
const shown = async (scene: ServeScene, id: string) =>
  (await read(scene, `/conversations/${id}`, as('read', 'ada'))).json();

/** The decision of the one person whom the gate asks. */
async function approve(scene: ServeScene, job: string): Promise<void> {
  const { directory: workspace } = scene;
  const { items } = await scene.review.list({
    workspace,
    kind: null,
    gate: `${job}:boss`,
    show: 'pending',
    limit: 10,
    afterId: null,
  });
  const item = String(items[0]?.id);
  await scene.review.resolve({ workspace, item, identity: 'qa-1', outcome: 'approve', comment: '', auth: LOCAL_AUTH });
}

it('streams a turn, keeps both sides of it, and tells the next run what was said', async () => {
  await withServeScene(idleWorkspace(), async (scene) => {
    const created = await begin(scene);
    const { id } = created.json();
    expect(created.headers.location).toBe(`/conversations/${id}`);
    expect(id).toMatch(/^[0-9a-f]{8}$/);
    const first = await say(scene, id, 'My name is Ada');
    expect(first.headers['content-type']).toContain('text/event-stream');
    const frames = framesOf(first.body);
    expect(frames.slice(0, -1).every(({ type }) => type === 'progress')).toBe(true);
    const done = frames.at(-1);
    expect(done).toMatchObject({
      type: 'done',
      conversation_id: id,
      turns: 1,
      output: expect.any(String),
      usage: { cost_usd: expect.anything() },
    });
    await say(scene, id, 'Who am I?');
    const { topology, turns } = await shown(scene, id);
    expect(topology).toBe('idle');
    expect(turns.map(({ role }: { role: string }) => role)).toEqual(['human', 'swarm', 'human', 'swarm']);
    expect(turns[0].content).toBe('My name is Ada');
    const job = (await read(scene, `/jobs/${turns[2].job_id}`)).json();
    expect(job).toMatchObject({
      source: 'chat',
      correlation_id: id,
      submitted_by: { identity: 'ada', assurance: 'authenticated' },
    });
    expect(job.input).toBe('Who am I?');
    const list = (await read(scene, '/conversations', as('read', 'ada'))).json();
    expect(list).toEqual([{ id, topology: 'idle', turns: 2, updated: expect.any(String), last_message: 'Who am I?' }]);
    expect((await shown(scene, id.slice(0, 6))).id).toBe(id);
  });
});

it('gives the turns before to the model as messages of their own', async () => {
  const model = await startModelServer(() => ({ do: 'answer', text: `answer ${model.requests.length}` }));
  onTestFinished(() => model.close());
  const env = { MODEL_URL: model.url, LOCAL_KEY: 'key-of-the-test' };
  const spoken = idleTopology('spoken', { model: { provider: 'local', name: 'm-1' } });
  const files = { 'topologies/spoken.yaml': spoken, 'providers/local.yaml': localProvider };
  const talk = async (scene: ServeScene) => {
    const { id } = (await begin(scene, 'spoken')).json();
    await say(scene, id, 'My name is Ada');
    await say(scene, id, 'Who am I?');
  };
  await withServeScene(idleWorkspace({ files }), talk, { env });

  expect(model.requests.map(({ body }) => body.messages)).toMatchObject([
    [{ role: 'user', content: 'My name is Ada' }],
    [
      { role: 'user', content: 'My name is Ada' },
      { role: 'assistant', content: 'answer 1' },
      { role: 'user', content: 'Who am I?' },
    ],
  ]);
});

it('takes one message at a time, and gives the turn back when the run was refused', async () => {
  const files = idleWorkspace({
    jobs: { max_concurrent: 1 },
    files: {
      'topologies/slow.yaml': idleTopology('slow', { options: { script: [{ text: 'late', latency_ms: 600_000 }] } }),
    },
  });
  await withServeScene(files, async (scene) => {
    const { id } = (await begin(scene, 'slow')).json();
    const turn = say(scene, id, 'first');
    await expect
      .poll(async () => (await read(scene, '/jobs?status=running')).json().length, { timeout: 10_000 })
      .toBe(1);
    expect((await say(scene, id, 'second')).json()).toMatchObject({ status: 409, code: 'conversation-busy' });
    const other = (await begin(scene)).json().id;
    expect((await say(scene, other, 'hello')).json()).toMatchObject({ status: 429, code: 'capacity' });
    expect((await shown(scene, other)).turns).toEqual([]);
    expect(scene.serve.load().active).toBe(1);
    void turn.catch(() => undefined);
  });
});

it('shows a turn that parks on a gate as deferred, and its answer once the run has completed', async () => {
  const gated = {
    'topologies/gated.yaml': JSON.stringify({
      apiVersion: 'kit/v1',
      kind: 'Topology',
      metadata: { name: 'gated', version: '1.0.0' },
      agents: { root: { id: 'boss', role: 'root', funnel: 'check', model: { provider: 'mock', name: 'mock' } } },
    }),
    'funnels/check.yaml': JSON.stringify({
      apiVersion: 'kit/v1',
      kind: 'Funnel',
      metadata: { id: 'check', name: 'Check', description: 'One signature' },
      provenance: { authored_by: 'human', version: '1.0.0' },
      approve: { exclude_author: false, rules: [{ scope: 'release:approve', roles: ['qa'], quorum: 'any' }] },
    }),
    'roles/roles.yaml': JSON.stringify({
      apiVersion: 'kit/v1',
      kind: 'RoleRegistry',
      metadata: { id: 'people', name: 'People', description: 'Who signs' },
      roles: [{ id: 'qa', members: ['qa-1'], scopes: ['release:approve'] }],
    }),
  };
  await withServeScene(idleWorkspace({ files: gated }), async (scene) => {
    const { id } = (await begin(scene, 'gated')).json();
    const last = framesOf((await say(scene, id, 'Ship it?')).body).at(-1);
    expect(last).toMatchObject({ type: 'deferred', job_id: expect.any(String), gate_id: `${last?.job_id}:boss` });
    expect((await shown(scene, id)).turns.map(({ role }: { role: string }) => role)).toEqual(['human']);
    expect((await say(scene, id, 'Well?')).json()).toMatchObject({ status: 409, code: 'conversation-busy' });
    await approve(scene, String(last?.job_id));
    await expect.poll(async () => (await shown(scene, id)).turns.length).toBe(2);
    expect((await shown(scene, id)).turns[1]).toMatchObject({ role: 'swarm', job_id: last?.job_id });
  });
});

it('replaces a turn whose run failed', async () => {
  const script = [{ fail: { kind: 'auth' } }];
  await withServeScene(
    idleWorkspace({ files: { 'topologies/broken.yaml': idleTopology('broken', { options: { script } }) } }),
    async (scene) => {
      const { id } = (await begin(scene, 'broken')).json();
      for (const message of ['first', 'second']) {
        expect(framesOf((await say(scene, id, message)).body).at(-1)).toMatchObject({
          type: 'error',
          status: 'failed',
          error: expect.any(String),
        });
        const { turns } = await shown(scene, id);
        expect(turns.map(({ content }: { content: string }) => content)).toEqual([message]);
      }
    },
  );
});

it('keeps conversations over a restart', async () => {
  const directory = await makeDirectory(idleWorkspace());
  const first = await openServeScene(directory);
  const { id } = (await begin(first)).json();
  await say(first, id, 'Remember me');
  await first.stop();
  const second = await openServeScene(directory);
  try {
    expect((await shown(second, id)).turns).toHaveLength(2);
    expect(framesOf((await say(second, id, 'Again')).body).at(-1)).toMatchObject({ type: 'done', turns: 2 });
  } finally {
    await second.stop();
  }
});

it('refuses what cannot be a turn', async () => {
  await withServeScene(idleWorkspace(), async (scene) => {
    expect((await begin(scene, 'nowhere')).json()).toMatchObject({ status: 404, code: 'topology-unknown' });
    expect((await say(scene, 'ffffffff', 'hello')).json()).toMatchObject({ status: 404, code: 'conversation-unknown' });
    const { id } = (await begin(scene)).json();
    for (const message of ['', '   ', 'x'.repeat(100_001), 'a\u0000b'])
      expect((await say(scene, id, message)).statusCode).toBe(422);
    expect((await read(scene, '/conversations?limit=101')).statusCode).toBe(422);
    expect((await shown(scene, id)).turns).toEqual([]);
  });
});
