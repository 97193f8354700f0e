import { readdir, readFile, realpath, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { StartRun } from '../../../src/app/runs/runs-app.js';
import { isKitError } from '../../../src/domain/errors.js';
import type { Job } from '../../../src/domain/job.js';
import type { RunWrite } from '../../../src/domain/journal.js';
import type { Clock } from '../../../src/domain/ports/system.js';
import { createClock } from '../../../src/system/clock.js';
import { toWireEvent } from '../../../src/view/schemas/event.js';
import { toWireJob } from '../../../src/view/schemas/job.js';
import { dyingStores } from './dying-stores.js';
import type { EagerModel } from './eager-model.js';
import { normalize } from './normalize.js';
import { openSceneApp, type SceneApp, type SceneAppOptions } from './scene-app.js';

export interface SceneRun {
  readonly model: EagerModel;
  /** Topology to run; default `main`. */
  readonly topology?: string;
  /** Environment beside PATH, HOME and MODEL_URL. */
  readonly env?: Readonly<Record<string, string>>;
  readonly attach?: readonly string[];
  /** The process dies after this write of the run, and another one resumes it. */
  readonly diesAfter?: (write: RunWrite) => boolean;
  /** For how long it slept is seen as well: each length once, in milliseconds. */
  readonly showsPauses?: true;
}

/** What somebody sees of a run: nothing of it is an internal form. */
export interface SeenRun {
  /** Code and message of a run that was refused; null = it ran. */
  readonly refused: string | null;
  /** How the run ended; null = it was refused. */
  readonly status: string | null;
  readonly seen: unknown;
}

/**
 * A real run of a workspace, as `kit run` would do it: the use cases of the command with a real
 * store and real processes, in this process. Gives the job row, the events, what the model server
 * was asked, the diffs, what lies in the folder afterwards, and which results are still in the
 * journal.
 */
export async function runScene(directory: string, run: SceneRun): Promise<SeenRun> {
  const root = await realpath(directory);
  const { url, requests } = run.model.open();
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: join(root, '.kit'),
    XDG_CONFIG_HOME: join(root, '.kit', 'config'),
    KIT_WORKTREES_DIR: `${root}-worktrees`,
    ...run.env,
    MODEL_URL: url,
  };
  const before = new Set(await filesOf(root));
  const { clock, pauses } = watchedClock();
  try {
    const ended = await execute(root, run, { env, clock });
    const files = (await filesOf(root)).filter((path) => !before.has(path));
    const seen = {
      ...ended,
      ...(run.showsPauses === true ? { pauses: pauses() } : {}),
      files: await Promise.all(files.map(async (path) => [path, await readFile(join(root, path), 'utf8')])),
    };
    // Parallel agents ask in any order.
    const asked = requests().map((request) => JSON.stringify(normalize({ ...request }, root)));
    return { refused: null, status: ended.job.status, seen: { run: normalize(seen, root), asked: asked.sort() } };
  } catch (error) {
    if (!isKitError(error)) throw error;
    return { refused: error.code, status: null, seen: normalize({ code: error.code, message: error.message }, root) };
  } finally {
    await rm(`${root}-worktrees`, { recursive: true, force: true });
  }
}

/** The real clock, which remembers for how long it was asked to sleep. */
function watchedClock(): { readonly clock: Clock; readonly pauses: () => readonly number[] } {
  const real = createClock();
  const lengths = new Set<number>();
  const sleep: Clock['sleep'] = (ms, signal) => {
    lengths.add(ms);
    return real.sleep(ms, signal);
  };
  return { clock: { now: () => real.now(), sleep }, pauses: () => [...lengths].sort((a, b) => a - b) };
}

type SceneSurroundings = Pick<SceneAppOptions, 'env' | 'clock'>;

async function execute(root: string, run: SceneRun, around: SceneSurroundings) {
  if (run.diesAfter === undefined) return withApp(root, around, (app) => startAndSee(app, root, run));
  const dying = { ...around, isDoomed: true, wrap: dyingStores(run.diesAfter) };
  const jobId = await withApp(root, dying, async (app) => {
    const handle = await start(app, root, run);
    await handle.done.catch(() => undefined);
    return handle.job.id;
  });
  return withApp(root, around, async (app) => {
    const handle = await app.runs.resume({ workspace: root, job: jobId, topology: null, by: 'tester', trust: [] });
    return see(app, await handle.done);
  });
}

async function withApp<T>(root: string, options: SceneAppOptions, work: (app: SceneApp) => Promise<T>): Promise<T> {
  const app = openSceneApp(root, options);
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/** Whatever adapter the workspace holds is approved: a person said yes. */
async function start(app: SceneApp, root: string, run: SceneRun) {
  const request: StartRun = {
    workspace: root,
    topology: run.topology ?? 'main',
    input: 'Say hello.',
    attachments: (run.attach ?? []).map((path) => ({ path })),
    correlationId: null,
    labels: {},
    supersedes: null,
    submittedBy: { identity: 'tester', assurance: 'asserted' },
    timeoutMs: null,
    trust: [],
  };
  try {
    return await app.runs.start(request);
  } catch (error) {
    if (!isKitError(error) || error.code !== 'KIT_ADAPTER_UNTRUSTED') throw error;
    const { untrusted } = await app.runs.plan(request);
    return app.runs.start({ ...request, trust: untrusted.map(({ digest }) => digest) });
  }
}

async function startAndSee(app: SceneApp, root: string, run: SceneRun) {
  const handle = await start(app, root, run);
  return { ...(await see(app, await handle.done)), warnings: handle.warnings.map(({ key }) => key) };
}

async function see(app: SceneApp, job: Job) {
  const stores = await app.stores();
  const events = (await stores.events.readRun(job.id, 0, 1000)).map((event) => toWireEvent(event));
  const rows = await stores.runs.load(job.id);
  const {
    worker_id: _worker,
    lease_until: _lease,
    executed_ms: _executed,
    needs: _needs,
    ...row
  } = toWireJob(job) as Readonly<Record<string, unknown>>;
  return {
    job: { ...row, status: job.status },
    // Parallel branches interleave as they like; within a step the order is the log's.
    events: events.toSorted((a, b) => String(a.step_key).localeCompare(String(b.step_key))),
    diffs: await stores.jobs.diffs(job.id),
    pruned: rows
      .filter((step) => step.prunedAt !== undefined)
      .map((step) => step.key)
      .sort(),
  };
}

async function filesOf(root: string): Promise<readonly string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((path) => !/^\.(kit|git)\//.test(path))
    .sort();
}
