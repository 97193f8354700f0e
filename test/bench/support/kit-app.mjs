import { join } from 'node:path';
import '../../support/processes-typescript.mjs';
import { LONG_TURNS, writeChainWorkspace } from './chain-workspace.mjs';

const { openSceneApp } = await import('../../support/scene/scene-app.ts');

/**
 * kit's use cases over the bench's workspace, wired as `kit run` wires them: the real store, the
 * real plugin host, the bundled providers. `latencyMs` is how long the in-process model takes to
 * answer; `topology` is `chain` or `held`; `wrap` stands between the runs and their stores.
 */
export function openChainApp(directory, { latencyMs = 0, topology = 'chain', wrap } = {}) {
  writeChainWorkspace(directory);
  const env = {
    PATH: process.env.PATH ?? '',
    HOME: directory,
    XDG_CONFIG_HOME: join(directory, 'config'),
    KIT_MOCK_DELEGATE: '1',
    KIT_MOCK_LATENCY_MS: String(latencyMs),
    KIT_MAX_TOOL_TURNS: String(10 * LONG_TURNS),
    KIT_MAX_DELEGATIONS_PER_CHILD: String(10 * LONG_TURNS),
  };
  const ended = new Map();
  // Wrapped once: what stands around the stores is not part of a run.
  const wrapped = new WeakMap();
  const once = (stores) => {
    const known = wrapped.get(stores) ?? noteEnds(wrap?.(stores) ?? stores, ended);
    wrapped.set(stores, known);
    return known;
  };
  const app = openSceneApp(directory, { env, wrap: once });
  const request = {
    workspace: directory,
    topology,
    input: 'Pass it on.',
    attachments: [],
    correlationId: null,
    labels: {},
    supersedes: null,
    submittedBy: { identity: 'bench', assurance: 'asserted' },
    timeoutMs: null,
    trust: [],
  };
  return { app, request, run: () => runOnce(app, request, ended) };
}

/**
 * From submit to the commit of `run.ended`, the last event. What clears up after a run goes on
 * behind it, and is awaited as `done`.
 */
async function runOnce(app, request, ended) {
  const handle = await app.runs.start(request);
  const end = new Promise((resolve) => ended.set(handle.job.id, resolve));
  const done = handle.done.then((job) => {
    if (job.status !== 'completed') throw new Error(`the run ${job.id} is ${job.status}: ${job.error}`);
    return job;
  });
  await Promise.race([end, done]);
  return { id: handle.job.id, done };
}

/** Stores that tell when the commit that holds a run's end has returned. */
function noteEnds(stores, ended) {
  const heard = (jobId) => {
    ended.get(jobId)?.();
    ended.delete(jobId);
  };
  return onCommit(stores, heard, ({ op }) => op === 'run.ended');
}

/**
 * Calls `heard` when a commit of a run has returned that holds a write of the kind; who looks on
 * costs the others nothing.
 */
export function onCommit(stores, heard, isOfKind = () => true) {
  const commit = (fence, ...batches) => {
    const committed = stores.runs.commit(fence, ...batches);
    if (!batches.some((writes) => writes.some(isOfKind))) return committed;
    return committed.then(() => heard(fence.jobId, batches.flat()));
  };
  const get = (_, name) => (name === 'commit' ? commit : stores.runs[name]?.bind?.(stores.runs));
  const runs = new Proxy(stores.runs, { get });
  return { ...stores, runs, close: () => stores.close() };
}
