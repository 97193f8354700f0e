import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Job } from '../../../src/domain/job.js';
import { chainFiles } from '../../support/failing-chain.js';
import { type ModelServer, type RecordedRequest, type Reply, startModelServer } from '../../support/model-server.js';
import { openSceneApp, type SceneApp } from '../../support/scene/scene-app.js';

/** A run that asks for a run of the chain, whose eighth agent is refused until that is fixed. */
const FILES = {
  'workspace.yaml': `apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: w, name: W }\nmemory: { enabled: false }\n`,
  ...chainFiles(),
  'topologies/boss.yaml': JSON.stringify({
    apiVersion: 'kit/v1',
    kind: 'Topology',
    metadata: { name: 'boss', version: '1.0.0' },
    agents: {
      root: {
        id: 'boss',
        role: 'root',
        prompt: { system: 'You are boss.' },
        model: { provider: 'local', name: 'm' },
        skills: ['topology-chain'],
      },
    },
  }),
};

const REFUSED: Reply = { do: 'status', status: 400, message: 'no such thing' };
let directory: string;
let model: ModelServer;
let app: SceneApp;
let isMended: boolean;
/** Agent -> how often it was answered. */
let answered: Record<string, number>;

function replyTo({ body }: RecordedRequest): Reply {
  const text = JSON.stringify(body.messages);
  const agent = /You are (boss|w\d+)\./.exec(text)?.[1] ?? 'unknown';
  const isSecond = text.includes('"role":"tool"');
  if (!isMended && (agent === 'w8' || (agent === 'boss' && isSecond))) return REFUSED;
  answered[agent] = (answered[agent] ?? 0) + 1;
  if (agent !== 'boss' || isSecond) return { do: 'answer', text: `${agent} is done` };
  return { do: 'answer', calls: [{ id: 'c0', name: 'topology-chain', arguments: { input: 'Go.' } }] };
}

beforeEach(async () => {
  isMended = false;
  answered = {};
  directory = await mkdtemp(join(tmpdir(), 'kit-retry-parts-'));
  model = await startModelServer(replyTo);
  for (const [path, text] of Object.entries(FILES)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  const env = { MODEL_URL: model.url, LOCAL_KEY: 'key-of-the-test', KIT_MOCK_DELEGATE: '1' };
  const paths = { PATH: process.env.PATH ?? '', HOME: directory, XDG_CONFIG_HOME: join(directory, '.config') };
  app = openSceneApp(directory, { env: { ...env, ...paths } });
});
afterEach(async () => {
  await app.close();
  await model.close();
  await rm(directory, { recursive: true, force: true });
});

async function run(): Promise<Job> {
  const handle = await app.runs.start({
    workspace: directory,
    topology: 'boss',
    input: 'Go.',
    attachments: [],
    correlationId: null,
    labels: {},
    supersedes: null,
    submittedBy: { identity: 'dana', assurance: 'asserted' },
    timeoutMs: null,
    trust: [],
  });
  return handle.done;
}

it('a retry goes on with what a run that it had asked for had finished, and asks nobody twice', async () => {
  const failed = await run();
  expect(failed.status, failed.error ?? '').toBe('failed');
  const stores = await app.stores();
  const [child] = (await stores.jobs.list({ limit: 10 })).filter(({ source }) => source === 'agent');
  expect(child).toMatchObject({ status: 'failed', callerJobId: failed.id });
  expect(answered).toEqual({ boss: 1, w1: 1, w2: 1, w3: 1, w4: 1, w5: 1, w6: 1, w7: 1 });
  isMended = true;

  const retried = await app.runs.retry({
    workspace: directory,
    job: failed.id,
    by: 'alice',
    trust: [],
    repeatPruned: false,
  });
  const ended = retried.kind === 'begun' ? await retried.handle.done : retried.job;

  expect(ended, ended.error ?? '').toMatchObject({ status: 'completed', parentJobId: failed.id });
  expect(answered).toEqual({ boss: 2, w1: 1, w2: 1, w3: 1, w4: 1, w5: 1, w6: 1, w7: 1, w8: 1, w9: 1 });
  const children = (await stores.jobs.list({ limit: 10 })).filter(({ source }) => source === 'agent');
  expect(children.map(({ status, callerJobId }) => [status, callerJobId])).toEqual([
    ['completed', ended.id],
    ['failed', failed.id],
  ]);
  // What was paid before counts in the run that paid it.
  expect(children.map(({ usage }) => usage?.inputTokens)).toEqual([20, 70]);
});
