import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AskApp, Question } from '../../../src/app/ask/ask-app.js';
import { createAskApp } from '../../../src/app/ask/create-ask-app.js';
import { createSnapshotCache } from '../../../src/worker/snapshot-cache.js';
import { funnel, ONE_RULE, roles, topology } from '../../compile/rules/artifact-text.js';
import { openSceneApp, type SceneApp } from '../../support/scene/scene-app.js';

let directory: string;
let app: SceneApp;
let ask: AskApp;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kit-ask-'));
  for (const folder of ['topologies', 'funnels', 'roles']) await mkdir(join(directory, folder));
  await writeFile(
    join(directory, 'workspace.yaml'),
    'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: w, name: W }\nmemory: { enabled: false }\n',
  );
  await writeFile(join(directory, 'topologies/t.yaml'), topology('t', 'funnel: gate, model: { provider: mock }'));
  await writeFile(
    join(directory, 'funnels/gate.yaml'),
    funnel('gate', ONE_RULE('{ scope: release:sign, roles: [lead], quorum: all }', 'exclude_author: false')),
  );
  await writeFile(
    join(directory, 'roles/people.yaml'),
    roles('[{ id: lead, members: [alice], scopes: ["release:sign"] }]'),
  );
  app = openSceneApp(directory, { env: { PATH: process.env.PATH ?? '', HOME: directory, XDG_CONFIG_HOME: directory } });
  ask = createAskApp({
    loadWorkspace: async () => (await app.session()).workspace,
    openStores: () => app.stores(),
    execute: async (start) => (await app.runs.start(start)).done,
  });
});
afterEach(async () => {
  await app.close();
  await rm(directory, { recursive: true, force: true });
});

const question = (over: Partial<Question> = {}): Question => ({
  workspace: directory,
  question: 'What waits?',
  run: null,
  offline: false,
  submittedBy: { identity: 'tester', assurance: 'asserted' },
  ...over,
});

describe('ask', () => {
  it('says that evidence is missing where nothing was run', async () => {
    expect(await ask.ask(question({ offline: true }))).toMatchObject({
      missing: ['nothing was ever run in this workspace'],
      answer: null,
      problem: null,
      facts: ['workspace w', 'topology t@1.0.0: root (model, gate gate)'],
    });
    await expect(ask.ask(question({ question: ' ' }))).rejects.toMatchObject({ code: 'KIT_USAGE' });
  });

  it('neither reads nor feeds the memory of the work that it is about', async () => {
    await writeFile(
      join(directory, 'workspace.yaml'),
      'apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: w, name: W }\nmemory: { enabled: true }\n',
    );
    await writeFile(join(directory, 'topologies/plain.yaml'), topology('plain', 'model: { provider: mock }'));
    const start = {
      workspace: directory,
      topology: 'plain',
      input: 'hi',
      attachments: [],
      correlationId: null,
      labels: {},
      supersedes: null,
    };
    const run = await (
      await app.runs.start({ ...start, submittedBy: question().submittedBy, timeoutMs: null, trust: [] })
    ).done;
    const asked = await ask.ask(question());

    const stores = await app.stores();
    const read = createSnapshotCache();
    const memoryOf = async (id: string | null) => {
      const job = await stores.jobs.get(id ?? '');
      return job === null ? null : (await read(stores.blobs, job)).memory;
    };
    expect(await memoryOf(run.id)).toMatchObject({ enabled: true });
    expect(await memoryOf(asked.runId)).toBeUndefined();
  });

  it('answers in a run of the entry agent alone, which no gate holds and no later question takes for evidence', async () => {
    const first = await ask.ask(question());

    const stores = await app.stores();
    const job = await stores.jobs.get(first.runId ?? '');
    expect(first.answer).toContain('Question: What waits?');
    expect(job).toMatchObject({ status: 'completed', labels: { kit_ask: 'true' } });
    expect((await ask.ask(question({ offline: true }))).missing).toEqual(['nothing was ever run in this workspace']);
  });
});
