import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Job } from '../../../src/domain/job.js';
import type { Json } from '../../../src/domain/json.js';
import type { Stores } from '../../../src/domain/ports/stores.js';
import { provider, topology } from '../../compile/rules/artifact-text.js';
import { WORKSPACE } from '../../support/compile.js';
import { createDatabase } from '../../support/components/postgres.js';
import { over } from '../../support/over.js';
import { dyingStores } from '../../support/scene/dying-stores.js';
import { type EagerModel, startEagerModel } from '../../support/scene/eager-model.js';
import { openSceneApp, type SceneApp, type SceneAppOptions } from '../../support/scene/scene-app.js';
import { startOf } from '../../support/scene/start-of.js';

let model: EagerModel;
let url: string;
let top: string;
const apps: SceneApp[] = [];
beforeAll(async () => {
  model = await startEagerModel();
});
afterAll(() => model.close());
beforeEach(async () => {
  top = await mkdtemp(join(tmpdir(), 'kit-kb-run-'));
  url = model.open().url;
});
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close();
  await rm(top, { recursive: true, force: true });
});

const AGENT = 'model: { provider: local, name: m-1 }, skills: [search-handbook]';
const ARTIFACTS = 'artifacts: { knowledge_bases: [{ id: handbook, path: docs }] }\n';
/** The model asks each of its tools for `hello world`. */
const FILES = {
  'workspace.yaml': `${WORKSPACE}memory: { enabled: false }\n`,
  'providers/local.yaml': provider(
    'local',
    '{ extends: openai-compatible, base_url: "${MODEL_URL}/v1", models: { accept_any: true } }',
  ),
  'topologies/t.yaml': `${topology('t', AGENT)}${ARTIFACTS}`,
  'docs/guide.md': '# Guide\n\nNothing of it.\n\n## Greeting\n\nHello world, says the old text.\n',
  'docs/notes.txt': 'Something else about birds.\n',
};

async function put(directory: string, files: Readonly<Record<string, string | Uint8Array>>): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
}

function openApp(directory: string, options: Partial<SceneAppOptions> = {}): SceneApp {
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: top,
    XDG_CONFIG_HOME: join(top, 'config'),
    MODEL_URL: url,
    ...options.env,
  };
  const app = openSceneApp(directory, { ...options, env });
  apps.push(app);
  return app;
}

const run = async (app: SceneApp, workspace: string): Promise<Job> => (await app.runs.start(startOf(workspace))).done;

/** What the search of a run has answered, from its journal. */
async function answerOf(stores: Stores, job: Job): Promise<Json> {
  const [row] = (await stores.runs.load(job.id)).filter(({ kind }) => kind === 'tool');
  if (row?.outcome?.status !== 'ok') throw new Error(`the search came to ${JSON.stringify(row?.outcome)}`);
  return (row.outcome.value as { readonly output: Json }).output;
}
const textsOf = async (stores: Stores, job: Job): Promise<readonly string[]> =>
  ((await answerOf(stores, job)) as readonly { readonly text: string }[]).map(({ text }) => text);

describe('a run that searches a knowledge base', () => {
  it('is answered with file, heading, lines, text and score, as one audited step that reads', async () => {
    const directory = join(top, 'w');
    await put(directory, FILES);
    const app = openApp(directory);

    const job = await run(app, directory);

    expect(job).toMatchObject({ status: 'completed' });
    const stores = await app.stores();
    expect(await answerOf(stores, job)).toEqual([
      {
        file: 'docs/guide.md',
        heading: 'Guide > Greeting',
        lines: [5, 7],
        text: '## Greeting\n\nHello world, says the old text.',
        score: expect.any(Number),
      },
    ]);
    expect(job.output).toContain('says the old text');
    const executed = (await stores.events.readRun(job.id, 0, 1000)).filter(({ type }) => type === 'skill.executed');
    expect(executed.map(({ skillId, payload }) => ({ skillId, ...payload }))).toMatchObject([
      { skillId: 'search-handbook', status: 'ok', effects: 'read', policy_decision: 'allow' },
    ]);
  });

  it('searches the bytes of its submit when it goes on after a crash, and the next run those of its own', async () => {
    const directory = join(top, 'w');
    await put(directory, FILES);
    // It dies once the model has asked for the search, which has not begun.
    const wrap = dyingStores((write) => write.op === 'step.started' && write.row.kind === 'model');
    const doomed = openApp(directory, { isDoomed: true, wrap });
    const handle = await doomed.runs.start(startOf(directory));
    await handle.done.catch(() => undefined);
    await put(directory, {
      'docs/guide.md': '# Guide\n\nHello world, says the new text.\n',
      'docs/more.md': 'Hello world, more of it.',
    });
    await rm(join(directory, 'docs/notes.txt'));

    const app = openApp(directory);
    const resumed = await (
      await app.runs.resume({ workspace: directory, job: handle.job.id, topology: null, by: 'dana', trust: [] })
    ).done;
    const next = await run(app, directory);

    const stores = await app.stores();
    expect(resumed.status).toBe('completed');
    expect(await textsOf(stores, resumed)).toEqual(['## Greeting\n\nHello world, says the old text.']);
    expect([...(await textsOf(stores, next))].sort()).toEqual([
      '# Guide\n\nHello world, says the new text.',
      'Hello world, more of it.',
    ]);
  });

  it('goes on where the documents are not, from the store alone', { timeout: 60_000 }, async () => {
    const database = await createDatabase();
    try {
      const storage = { backend: 'postgres', url: database.url, setting: 'KIT_STORE_URL' } as const;
      const env = { KIT_STORE_URL: database.url };
      const [here, there] = [join(top, 'here'), join(top, 'there')];
      await put(here, FILES);
      await put(there, Object.fromEntries(Object.entries(FILES).filter(([path]) => !path.startsWith('docs/'))));
      // Somebody stops it before its first agent: nothing of it was carried out here.
      const stopping = (jobs: Stores['jobs']): Stores['jobs'] =>
        new Proxy(jobs, {
          get: (target, name) => {
            if (name === 'isStopRequested') return async () => true;
            const member: unknown = Reflect.get(target, name);
            return typeof member === 'function' ? member.bind(target) : member;
          },
        });
      const wrap = (stores: Stores): Stores => ({ ...stores, jobs: stopping(stores.jobs) });
      const stopped = await run(openApp(here, { storage, env, wrap }), here);
      expect(stopped.status).toBe('stopped');

      const second = openApp(there, { storage, env });
      const job = await (
        await second.runs.resume({ workspace: there, job: stopped.id, topology: null, by: 'dana', trust: [] })
      ).done;

      expect(job.status).toBe('completed');
      expect(await textsOf(await second.stores(), job)).toEqual(['## Greeting\n\nHello world, says the old text.']);
      await expect(second.runs.start(startOf(there))).rejects.toMatchObject({ code: 'KIT_KNOWLEDGE_INVALID' });
    } finally {
      for (const app of apps.splice(0)) await app.close();
      await database.drop();
    }
  });

  it('is refused with every document that it could not search, before anything is written', async () => {
    const directory = join(top, 'w');
    await put(directory, { ...FILES, 'docs/bad.md': new Uint8Array([0xff, 0xfe]), 'docs/worse.txt': 'a\0b' });
    const app = openApp(directory);

    await expect(run(app, directory)).rejects.toMatchObject({
      code: 'KIT_KNOWLEDGE_INVALID',
      message: expect.stringMatching(/docs\/bad\.md.*docs\/worse\.txt/s),
    });

    expect((await (await app.stores()).jobs.list({ limit: 10 })).length).toBe(0);
  });

  it('is refused where its index is to lie in another database than the runs', async () => {
    const directory = join(top, 'w');
    await put(directory, {
      ...FILES,
      'workspace.yaml': `${FILES['workspace.yaml']}storage: { knowledge_bases: { default_backend: postgres } }\n`,
    });

    await expect(run(openApp(directory), directory)).rejects.toMatchObject({ code: 'KIT_STORE_UNAVAILABLE' });
  });

  it('reads no document for a topology that searches nothing', async () => {
    const directory = join(top, 'w');
    await put(directory, {
      ...FILES,
      'docs/bad.md': new Uint8Array([0xff]),
      'topologies/u.yaml': topology('u', 'model: { provider: local, name: m-1 }'),
    });
    const app = openApp(directory);

    expect(await (await app.runs.start(startOf(directory, { topology: 'u' }))).done).toMatchObject({
      status: 'completed',
    });
  });

  it('of a base that another topology declares finds the same', async () => {
    const directory = join(top, 'w');
    await put(directory, { ...FILES, 'topologies/u.yaml': topology('u', AGENT) });
    const app = openApp(directory);

    const job = await (await app.runs.start(startOf(directory, { topology: 'u' }))).done;

    expect(await textsOf(await app.stores(), job)).toEqual(['## Greeting\n\nHello world, says the old text.']);
  });

  it('plans without writing anything', async () => {
    const directory = join(top, 'w');
    await put(directory, FILES);
    const app = openApp(directory);

    const planned = await app.runs.plan(startOf(directory));

    expect(planned.snapshot.knowledge).toMatchObject([
      { id: 'handbook', path: 'docs', index: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
  });

  it('says so as a failed call when its index is gone', async () => {
    const directory = join(top, 'w');
    await put(directory, FILES);
    const gone = openApp(directory, {
      wrap: (stores) => ({ ...stores, knowledge: over(stores.knowledge, { find: async () => null }) }),
    });

    const job = await run(gone, directory);

    const [row] = (await (await gone.stores()).runs.load(job.id)).filter(({ kind }) => kind === 'tool');
    expect(row?.outcome).toMatchObject({
      status: 'failed',
      reason: 'index_missing',
      message: expect.stringContaining('handbook'),
    });
    expect(job.status).toBe('completed');
  });
});
