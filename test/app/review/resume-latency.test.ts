import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createReviewApp } from '../../../src/app/review/create-review-app.js';
import { readRoleFiles } from '../../../src/app/review/read-roles.js';
import { LOCAL_AUTH } from '../../../src/domain/gates.js';
import { createClock } from '../../../src/system/clock.js';
import { nodeFiles } from '../../../src/system/files.js';
import { createIds } from '../../../src/system/ids.js';
import { readWorkerHost } from '../../../src/system/worker-host.js';
import { gated } from '../../e2e/review/gated-workspace.js';
import { openSceneApp, type SceneApp } from '../../support/scene/scene-app.js';
import { startOf } from '../../support/scene/start-of.js';

/**
 * From the committed decision to the first event of the resumed agent, on SQLite in one process, on
 * a machine of its own.
 */
const GOAL_MS = 150;

let directory: string;
let app: SceneApp;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'kit-latency-'));
  for (const [path, text] of Object.entries(gated())) {
    await mkdir(dirname(join(directory, path)), { recursive: true });
    await writeFile(join(directory, path), text);
  }
  app = openSceneApp(directory, { env: {} });
});
afterEach(async () => {
  await app.close();
  await rm(directory, { recursive: true, force: true });
});

it('the run that a decision wakes goes on in this process within the time of a blink', async () => {
  const host = readWorkerHost();
  const reviews = createReviewApp({
    clock: createClock(),
    ids: createIds(host),
    host,
    openStores: async () => app.stores(),
    offers: async () => ({ plugins: {}, adapters: {} }),
    readRoles: (workspace) => readRoleFiles(workspace, { files: nodeFiles, environment: {} }),
    loadWorkspace: async () => (await app.session()).workspace,
    signer: async () => null,
    maskOf: async () => (text) => text,
  });
  const start = startOf(directory, { topology: 'release', input: 'write it' });
  const figures: number[] = [];
  for (let turn = 0; turn < 3; turn += 1) {
    const { id } = await (await app.runs.start(start)).done;
    const resolve = (role: string, identity: string, outcome: string) =>
      reviews.resolve({
        workspace: directory,
        item: `mpa-${id}:writer-0-${role}`,
        identity,
        auth: LOCAL_AUTH,
        outcome,
        comment: 'again',
      });
    await resolve('qa', 'qa-1', 'approve');
    const decided = await resolve('ops', 'ops-1', 'changes_requested');
    const fromMs = performance.now();
    const gone = await app.runs.goOn({ workspace: directory, job: id, by: 'ops-1', mode: 'insist' });
    if (gone.kind !== 'taken') throw new Error(gone.why);
    for await (const event of gone.handle.events(decided.seq, new AbortController().signal)) {
      if (event.agentId === null) continue;
      figures.push(performance.now() - fromMs);
      break;
    }
    expect((await gone.handle.done).status).toBe('deferred');
    expect((await reviews.gate({ workspace: directory, gate: `${id}:writer`, author: null })).round).toBe(1);
  }
  console.log(
    `from the decision to the first event of the agent: ${figures.map((ms) => ms.toFixed(0)).join(', ')} ms (goal ${GOAL_MS} ms)`,
  );
  expect(figures).toHaveLength(3);
});
