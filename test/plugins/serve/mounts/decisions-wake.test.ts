import { describe, expect, it } from 'vitest';
import { contribution as reviewRoutes } from '../../../../plugins/serve/src/mounts/review/mount.js';
import { createServer } from '../../../../plugins/serve/src/server/create-server.js';
import { createReviewApp } from '../../../../src/app/review/create-review-app.js';
import { readRoleFiles } from '../../../../src/app/review/read-roles.js';
import type { AuthProvider } from '../../../../src/domain/ports/http.js';
import { createTestContext } from '../../../../src/domain/testing.js';
import { createClock } from '../../../../src/system/clock.js';
import { nodeFiles } from '../../../../src/system/files.js';
import { createIds } from '../../../../src/system/ids.js';
import { readWorkerHost } from '../../../../src/system/worker-host.js';
import { gated } from '../../../e2e/review/gated-workspace.js';
import { submitted, untilStatus } from '../../../support/http/ask.js';
import { as, TEST_AUTH } from '../../../support/http/serve-group.js';
import { type ServeScene, withServeScene } from '../../../support/http/serve-scene.js';

/** A server under `none`: everybody is the local operator, whom nobody proved. */
const OPEN: AuthProvider = {
  ...TEST_AUTH,
  authenticate: async () => ({
    kind: 'caller',
    caller: { clientId: 'qa-1', clientName: 'QA', provider: 'none', scopes: ['*'], assurance: 'asserted' },
  }),
};

/**
 * The routes of gates over the store of the scene, on a server of their own: as another instance
 * has them.
 */
async function decisionsOf(scene: ServeScene, auth: AuthProvider = TEST_AUTH) {
  const host = readWorkerHost();
  const review = createReviewApp({
    clock: createClock(),
    ids: createIds(host),
    host,
    openStores: () => scene.stores(),
    offers: async () => ({ plugins: {}, adapters: {} }),
    readRoles: (workspace) => readRoleFiles(workspace, { files: nodeFiles, environment: {} }),
    loadWorkspace: async () => (await scene.session()).workspace,
    signer: async () => null,
    maskOf: async () => (text) => text,
  });
  const mount = await reviewRoutes.create({}, createTestContext({}));
  const group = {
    id: 'kit.http-review',
    plugin: 'test',
    isBundled: true,
    prefix: '',
    tier: 'read',
    mount,
    app: { review },
  } as const;
  return createServer({ workspace: scene.directory, auth, groups: [group] });
}

const resolve = (id: string, by: string, outcome: string, comment = '') =>
  ({
    method: 'POST',
    url: `/review/${encodeURIComponent(id)}/resolve`,
    headers: as('run', by),
    payload: { outcome, comment },
  }) as const;

async function parkedRun(scene: ServeScene): Promise<string> {
  const { id } = (await submitted(scene, 'release', { input: 'write it' }, as('run', 'dana'))).json() as {
    readonly id: string;
  };
  await untilStatus(scene, id, 'deferred');
  return id;
}

describe('a decision over HTTP on another instance', () => {
  it('lets the run go on to its end, without a call', async () => {
    await withServeScene(gated(), async (scene) => {
      const server = await decisionsOf(scene);
      const id = await parkedRun(scene);
      expect((await server.inject(resolve(`mpa-${id}:writer-0-qa`, 'qa-1', 'approve'))).statusCode).toBe(200);
      expect((await server.inject(resolve(`mpa-${id}:writer-0-ops`, 'ops-1', 'approve'))).statusCode).toBe(200);
      await untilStatus(scene, id, 'completed');
      await server.close();
    });
  });

  it('ends the run as failed when it rejects, and names gate, person and comment', async () => {
    await withServeScene(gated(), async (scene) => {
      const server = await decisionsOf(scene);
      const id = await parkedRun(scene);
      await server.inject(resolve(`mpa-${id}:writer-0-qa`, 'qa-1', 'reject', 'not this week'));
      const job = await untilStatus(scene, id, 'failed');
      expect(job.error).toContain(`${id}:writer`);
      expect(job.error).toContain('qa-1');
      expect(job.error).toContain('not this week');
      await server.close();
    });
  });

  it('wakes nothing where gates.auto_resume is off', async () => {
    await withServeScene(gated({ workspace: 'gates: { auto_resume: false }\n' }), async (scene) => {
      const server = await decisionsOf(scene);
      const id = await parkedRun(scene);
      for (const [role, by] of [
        ['qa', 'qa-1'],
        ['ops', 'ops-1'],
      ] as const)
        await server.inject(resolve(`mpa-${id}:writer-0-${role}`, by, 'approve'));
      expect((await (await scene.stores()).jobs.get(id))?.status).toBe('deferred');
      expect(
        (await scene.server.inject({ method: 'POST', url: `/jobs/${id}/resume`, headers: as('run') })).statusCode,
      ).toBe(200);
      await untilStatus(scene, id, 'completed');
      await server.close();
    });
  });
});

describe('a decision on a server under none', () => {
  it('counts as one of the local operator, also where nobody knows the author', async () => {
    await withServeScene(gated(), async (scene) => {
      const server = await decisionsOf(scene, OPEN);
      const id = await parkedRun(scene);
      const { statusCode } = await server.inject(resolve(`mpa-${id}:writer-0-qa`, 'whoever', 'approve'));
      expect(statusCode).toBe(200);
      const state = await (await scene.stores()).reviews.state(id);
      expect(state?.decisions).toMatchObject([{ identity: 'qa-1', assurance: 'asserted' }]);
      await server.close();
    });
  });
});
