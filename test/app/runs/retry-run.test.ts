import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { retryRun } from '../../../src/app/runs/retry-run.js';
import type { RetriedHere } from '../../../src/app/runs/runs-app.js';
import type { Job } from '../../../src/domain/job.js';
import { ENGINE } from '../../../src/domain/journal.js';
import { chainFiles, type FailingModel, startFailingModel } from '../../support/failing-chain.js';
import { openSceneApp, type SceneApp } from '../../support/scene/scene-app.js';

let directory: string;
let model: FailingModel;
let app: SceneApp;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kit-retry-'));
  model = await startFailingModel('w8');
});
afterEach(async () => {
  await app.close();
  await model.close();
  await rm(directory, { recursive: true, force: true });
});

async function open(files: Readonly<Record<string, string>> = {}, workspace = ''): Promise<void> {
  const all = {
    'workspace.yaml': `apiVersion: kit/v1\nkind: Workspace\nmetadata: { id: w, name: W }\nmemory: { enabled: false }\n${workspace}`,
    ...chainFiles(),
    ...files,
  };
  for (const [path, text] of Object.entries(all)) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  app = openSceneApp(directory, {
    env: {
      MODEL_URL: model.url,
      LOCAL_KEY: 'key-of-the-test',
      PATH: process.env.PATH ?? '',
      HOME: directory,
      XDG_CONFIG_HOME: join(directory, '.config'),
      KIT_MOCK_DELEGATE: '1',
    },
  });
}

const run = async (): Promise<Job> => {
  const handle = await app.runs.start({
    workspace: directory,
    topology: 'chain',
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
const retry = (job: Job, repeatPruned = false): Promise<RetriedHere> =>
  app.runs.retry({ workspace: directory, job: job.id, by: 'alice', trust: [], repeatPruned });
const done = (retried: RetriedHere): Promise<Job> =>
  retried.kind === 'begun' ? retried.handle.done : Promise.resolve(retried.job);

describe('a retry', () => {
  it('ends what failed, asks nobody twice, and leaves the failed run as it was', async () => {
    await open();
    const failed = await run();
    const stores = await app.stores();
    const rows = await stores.runs.load(failed.id);
    const paid = model.answered();
    expect(failed.status).toBe('failed');
    expect(Object.keys(paid)).toHaveLength(7);
    model.fix();

    const ended = await done(await retry(failed));

    expect(ended).toMatchObject({
      status: 'completed',
      parentJobId: failed.id,
      snapshot: failed.snapshot,
      correlationId: 'one-piece',
      labels: { team: 'a' },
      submittedBy: { identity: 'alice' },
    });
    expect(model.answered()).toEqual({ ...paid, w8: 1, w9: 1 });
    expect(await stores.jobs.get(failed.id)).toEqual(failed);
    expect(await stores.runs.load(failed.id)).toEqual(rows);
  });

  it('counts what was spent before for limits, and for its own usage what it spent itself', async () => {
    await open();
    const failed = await run();
    model.fix();

    const ended = await done(await retry(failed));

    expect(failed.usage).toMatchObject({ inputTokens: 70, outputTokens: 35 });
    expect(ended.usage).toMatchObject({ inputTokens: 20, outputTokens: 10 });
    const taken = (await (await app.stores()).runs.load(ended.id)).filter(({ usage }) => usage?.inputTokens === 10);
    expect(taken).toHaveLength(9);
  });

  it('that fails is itself retried', async () => {
    await open();
    const failed = await run();
    const again = await done(await retry(failed));
    expect(again.status).toBe('failed');
    model.fix();

    const ended = await done(await retry(again));

    expect(ended).toMatchObject({ status: 'completed', parentJobId: again.id });
    expect(Object.values(model.answered())).toEqual(Array.from({ length: 9 }, () => 1));
  });

  it('is made once, also where two ask at once', async () => {
    await open();
    const failed = await run();
    model.fix();

    const [one, other] = await Promise.all([retry(failed), retry(failed)]);
    const jobs = await Promise.all([done(one), done(other)]);

    expect([one.kind, other.kind].sort()).toEqual(['begun', 'there']);
    expect(new Set(jobs.map(({ id }) => id)).size).toBe(1);
    expect(await retry(failed)).toMatchObject({ kind: 'there', job: { id: jobs[0]?.id, status: 'completed' } });
  });

  it('names results that were removed, and runs them and what came after once more where that is asked for', async () => {
    await open();
    const failed = await run();
    const { runs } = await app.stores();
    await runs.prune({ endedBefore: new Date(Date.now() + 1000).toISOString(), limit: 10 });
    model.fix();

    await expect(retry(failed)).rejects.toMatchObject({
      code: 'KIT_JOB_NOT_RETRYABLE',
      message: expect.stringContaining('cannot take over results that were removed: root/d0/t0'),
      hint: expect.stringContaining('--repeat-pruned'),
    });
    const ended = await done(await retry(failed, true));

    expect(ended).toMatchObject({ status: 'completed', parentJobId: failed.id });
    expect(model.answered()).toMatchObject({ w1: 2, w7: 2, w8: 1, w9: 1 });
  });

  it('is refused for a run that did not fail', async () => {
    model.fix();
    await open();
    const completed = await run();

    await expect(retry(completed)).rejects.toMatchObject({
      code: 'KIT_JOB_NOT_RETRYABLE',
      message: expect.stringContaining('is completed; only failed runs are retried'),
    });
  });

  it.each([
    ['people rejected', { reason: 'gate_rejected' }, 'ended by what people decided'],
    ['people sent back too often', { reason: 'rework_exhausted' }, 'ended by what people decided'],
    ['ended in doubt', { reason: 'in_doubt' }, 'must not be done twice (on_in_doubt: fail)'],
    ['diverged', { status: 'stopped', reason: 'journal_diverged' }, 'went another way than it was recorded'],
    ['an agent asked for', { source: 'agent', callerJobId: 'f'.repeat(12) }, 'is a part of run ffffffffffff'],
    ['another engine recorded', { engine: 99 }, 'was recorded by the engine 99'],
    ['is a replay', { needs: { plugins: {}, adapters: {}, cassette: 'c' } }, 'which its cassette alone answers'],
  ])('is refused for a run that %s', async (_, over, message) => {
    const job = {
      id: 'a'.repeat(12),
      status: 'failed',
      reason: 'x',
      source: 'cli',
      callerJobId: null,
      engine: ENGINE,
      needs: {},
      ...over,
    };
    const jobs = { get: async (id: string) => (id === job.id ? job : null) };
    const refused = retryRun(
      // Only what is asked before anything is decided.
      { stores: { jobs, retention: { pruned: async () => null } } } as unknown as Parameters<typeof retryRun>[0],
      {
        job: job.id,
        by: { source: 'cli', submittedBy: { identity: 'a', assurance: 'asserted' } },
        repeatPruned: false,
      },
      'claimed',
    );
    await expect(refused).rejects.toThrow(message);
  });

  it('is refused for a run that reached a limit', async () => {
    await open({}, 'governance: { provider: mock, limits: { max_steps_per_run: 3 } }\n');
    const failed = await run();

    expect(failed).toMatchObject({ status: 'failed', reason: 'limit.max_steps_per_run' });
    await expect(retry(failed)).rejects.toMatchObject({
      code: 'KIT_JOB_NOT_RETRYABLE',
      message: expect.stringContaining('reached max_steps_per_run'),
    });
  });
});
