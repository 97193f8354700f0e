import { expect, it } from 'vitest';
import { contribution } from '../../../../plugins/serve/src/mounts/authoring/mount.js';
import { createEditingApp } from '../../../../src/app/editing/create-editing-app.js';
import { createFileEdits } from '../../../../src/system/file-edits.js';
import { deps } from '../../../support/compile.js';
import { submitted, untilStatus } from '../../../support/http/ask.js';
import { boundTo } from '../../../support/http/edited-workspace.js';
import { idleTopology, idleWorkspace } from '../../../support/http/idle-workspace.js';
import { as, serveGroup } from '../../../support/http/serve-group.js';
import { type ServeScene, withServeScene } from '../../../support/http/serve-scene.js';

/** The authoring routes over the directory of a serving process. */
async function deskOf(scene: ServeScene) {
  const editing = createEditingApp({
    compile: deps(),
    edits: createFileEdits(),
    reload: () => scene.serve.reload(),
    log: { warn: () => undefined },
    resolves: async () => new Map(),
    maskOf: async () => (text) => text,
  });
  const server = await serveGroup(contribution, { editing: boundTo(editing, scene.directory) });
  return (method: 'PUT' | 'POST' | 'DELETE', url: string, payload?: object) =>
    server.inject({ method, url, headers: as('admin'), ...(payload === undefined ? {} : { payload }) });
}

it('a topology that is made over HTTP runs at once, and one that is removed does not', async () => {
  await withServeScene(idleWorkspace(), async (scene) => {
    const ask = await deskOf(scene);
    expect((await submitted(scene, 'fresh', { input: 'x' })).statusCode).toBe(404);
    expect((await ask('POST', '/api/topologies', { yaml: idleTopology('fresh') })).json()).toMatchObject({
      valid: true,
      reloaded: true,
    });
    const job = (await submitted(scene, 'fresh', { input: 'x' })).json();
    expect(await untilStatus(scene, job.id, 'completed')).toMatchObject({ topology: 'fresh' });
    expect((await ask('DELETE', '/api/topologies/fresh')).json()).toMatchObject({ deleted: true, reloaded: true });
    expect((await submitted(scene, 'fresh', { input: 'x' })).statusCode).toBe(404);
  });
});

it('a run keeps the topology that it started with while it is changed, and the next one has the new', async () => {
  await withServeScene(
    idleWorkspace(),
    async (scene) => {
      const ask = await deskOf(scene);
      const before = (await submitted(scene, 'idle', { input: 'x' })).json();
      await untilStatus(scene, before.id, 'running');
      expect(
        (await ask('PUT', '/api/topologies/idle', { yaml: idleTopology('idle', { version: '2.0.0' }) })).json(),
      ).toMatchObject({
        reloaded: true,
      });
      const after = (await submitted(scene, 'idle', { input: 'x' })).json();
      expect(after.version).toBe('2.0.0');
      expect(await untilStatus(scene, before.id, 'completed')).toMatchObject({ version: '1.0.0' });
      await untilStatus(scene, after.id, 'completed');
    },
    { env: { KIT_MOCK_LATENCY_MS: '500' } },
  );
});

it('a reload of broken files is told, and the server goes on with what it had', async () => {
  await withServeScene(idleWorkspace(), async (scene) => {
    const ask = await deskOf(scene);
    scene.write({ 'topologies/broken.yaml': 'a: [' });
    expect((await ask('POST', '/reload')).json()).toMatchObject({
      valid: false,
      errors: [{ code: 'workspace.yaml-parse', path: 'topologies/broken.yaml' }],
    });
    const job = (await submitted(scene, 'idle', { input: 'x' })).json();
    await untilStatus(scene, job.id, 'completed');
  });
});
