import { expect } from 'vitest';
import type { StartRun } from '../../../../src/app/runs/runs-app.js';
import { submitted, untilStatus } from '../../../support/http/ask.js';
import { idleTopology } from '../../../support/http/idle-workspace.js';
import { openServeScene, type ServeScene, type ServeSceneOptions } from '../../../support/http/serve-scene.js';
import { openSceneApp } from '../../../support/scene/scene-app.js';
import type { Documents, Observe } from '../../../support/shows-effect.js';
import type { EffectProof } from './proof.js';

/** A served workspace with one agent that answers at once. */
export const SERVED: Documents = {
  'workspace.yaml': {
    apiVersion: 'kit/v1',
    kind: 'Workspace',
    metadata: { id: 'served', name: 'Served' },
    memory: { enabled: false },
  },
  'topologies/idle.yaml': JSON.parse(idleTopology('idle')),
};

/** Shown by a server of the workspace. */
export interface JobsProof extends EffectProof {
  readonly observe: Observe;
}

const HOURS = { KIT_MOCK_LATENCY_MS: '3600000' };
const A_SECOND = { KIT_MOCK_LATENCY_MS: '1500' };

const served =
  (env: ServeSceneOptions['env'], look: (scene: ServeScene) => Promise<unknown>): Observe =>
  async (directory) => {
    const scene = await openServeScene(directory, env === undefined ? {} : { env });
    try {
      return await look(scene);
    } finally {
      await scene.stop();
    }
  };

async function statusesOf(scene: ServeScene, count: number): Promise<readonly number[]> {
  const answers = await Promise.all(Array.from({ length: count }, () => submitted(scene, 'idle', { input: 'x' })));
  return answers.map(({ statusCode }) => statusCode).sort();
}

/** For how many seconds a run that has just been claimed is held. */
async function leaseOf(scene: ServeScene): Promise<number> {
  const { id } = (await submitted(scene, 'idle', { input: 'x' })).json();
  await untilStatus(scene, id, 'running');
  const { leaseUntil, claimedAt } = await scene.jobs.get({ workspace: scene.directory, job: id });
  return Math.round((Date.parse(leaseUntil ?? '') - Date.parse(claimedAt ?? '')) / 1000);
}

/** How a run ends that takes a second and a half. */
async function endOf(scene: ServeScene): Promise<unknown> {
  const { id } = (await submitted(scene, 'idle', { input: 'x' })).json();
  const rowOf = () => scene.jobs.get({ workspace: scene.directory, job: id });
  await expect
    .poll(async () => ['completed', 'failed'].includes((await rowOf()).status), { timeout: 20_000 })
    .toBe(true);
  const { status, reason } = await rowOf();
  return { status, reason };
}

/**
 * What becomes of a run that takes a second and a half when its server shuts down as `kit serve`
 * does.
 */
async function statusAfterShutdown(scene: ServeScene): Promise<unknown> {
  const { id } = (await submitted(scene, 'idle', { input: 'x' })).json();
  await untilStatus(scene, id, 'running');
  await scene.serve.drain(scene.serve.current().server.jobs.shutdownMs);
  return (await scene.jobs.get({ workspace: scene.directory, job: id })).status;
}

/** What a server makes of a run of `kit run` whose process died. */
const recovered: Observe = async (directory) => {
  const env = { PATH: process.env.PATH ?? '', HOME: directory, XDG_CONFIG_HOME: `${directory}/.config` };
  const dead = openSceneApp(directory, { env: { ...env, ...HOURS }, isDoomed: true });
  const start: StartRun = {
    workspace: directory,
    topology: 'idle',
    input: 'x',
    attachments: [],
    correlationId: null,
    labels: {},
    supersedes: null,
    submittedBy: { identity: 'ada', assurance: 'asserted' },
    timeoutMs: null,
    trust: [],
  };
  const handle = await dead.runs.start(start);
  handle.done.catch(() => undefined);
  try {
    return await served(undefined, async (scene) => {
      const rowOf = () => scene.jobs.get({ workspace: directory, job: handle.job.id });
      await expect
        .poll(async () => ['completed', 'stopped'].includes((await rowOf()).status), { timeout: 20_000 })
        .toBe(true);
      const { status, reason, attempt } = await rowOf();
      return { status, reason, attempt };
    })(directory);
  } finally {
    handle.abort();
    await handle.done.catch(() => undefined);
    await dead.close();
  }
};

const JOBS = 'Workspace.server.jobs';

/** `server.jobs`, through the server that reads it. */
export const JOBS_PROOFS: readonly JobsProof[] = [
  { key: `${JOBS}.max_concurrent`, a: 1, b: 3, observe: served(HOURS, (scene) => statusesOf(scene, 4)) },
  { key: `${JOBS}.timeout_seconds`, a: 1, b: 60, observe: served(A_SECOND, endOf) },
  { key: `${JOBS}.shutdown_seconds`, a: 0, b: 30, observe: served(A_SECOND, statusAfterShutdown) },
  { key: `${JOBS}.lease_seconds`, a: 3, b: 3600, observe: served(HOURS, leaseOf) },
  { key: `${JOBS}.recover`, a: 'own', b: 'all', observe: recovered },
];
