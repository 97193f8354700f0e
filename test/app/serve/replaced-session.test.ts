import { expect, it } from 'vitest';
import type { SharedServers } from '../../../src/boot/parts.js';
import { PROCESS_LEASE } from '../../../src/worker/tool-servers.js';
import { linkedServer } from '../../support/fake-tools.js';
import { submitted, untilStatus } from '../../support/http/ask.js';
import { idleWorkspace } from '../../support/http/idle-workspace.js';
import { type ServeScene, withServeScene } from '../../support/http/serve-scene.js';

const SLOW = { KIT_MOCK_LATENCY_MS: '600000' };
/** One of the process, and one of the session that is served. */
const AT_REST = 2;

const reload = async ({ serve }: ServeScene, times: number): Promise<void> => {
  for (let n = 0; n < times; n++) expect(await serve.reload()).toMatchObject({ valid: true });
};

it('lets go of each session that a reload replaced', async () => {
  await withServeScene(idleWorkspace(), async (scene) => {
    const { id } = (await submitted(scene, 'idle', { input: 'x' })).json();
    await untilStatus(scene, id, 'completed');

    await reload(scene, 5);

    await expect.poll(scene.hosts).toBe(AT_REST);
    const again = (await submitted(scene, 'idle', { input: 'x' })).json();
    await untilStatus(scene, again.id, 'completed');
  });
});

it('keeps the session of a run until the run is over, and those after it no longer than they serve', async () => {
  await withServeScene(
    idleWorkspace(),
    async (scene) => {
      const { id } = (await submitted(scene, 'idle', { input: 'x' })).json();
      await untilStatus(scene, id, 'running');

      await reload(scene, 3);
      await expect.poll(scene.hosts).toBe(AT_REST + 1);
      await scene.serve.stop({ job: id, by: 'tester' });

      await untilStatus(scene, id, 'stopped');
      await expect.poll(scene.hosts).toBe(AT_REST);
    },
    { env: SLOW },
  );
});

it('lets go of it, and tells every listener, also where one of them fails', async () => {
  await withServeScene(idleWorkspace(), async (scene) => {
    const heard: string[] = [];
    scene.serve.onReload(() => Promise.reject(new Error('no sink')));
    scene.serve.onReload(() => void heard.push('triggers'));

    await expect(scene.serve.reload()).rejects.toThrow('no sink');

    expect(heard).toEqual(['triggers']);
    await expect.poll(scene.hosts).toBe(AT_REST);
  });
});

it('keeps the plugins that are to stay with the process', async () => {
  await withServeScene(idleWorkspace(), async (scene) => {
    (await scene.session()).keepPlugins();

    await reload(scene, 3);

    await expect.poll(scene.hosts).toBe(AT_REST + 1);
  });
});

it.each([
  ['files that are wrong', { 'topologies/idle.yaml': 'apiVersion: kit/v1\n' }],
  [
    'another id',
    { 'workspace.yaml': JSON.stringify({ apiVersion: 'kit/v1', kind: 'Workspace', metadata: { id: 'other' } }) },
  ],
])('keeps nothing of a reload that was refused for %s', async (_, files) => {
  await withServeScene(idleWorkspace(), async (scene) => {
    scene.write(files);

    for (let n = 0; n < 3; n++) expect(await scene.serve.reload()).toMatchObject({ valid: false });

    await expect.poll(scene.hosts).toBe(AT_REST);
  });
});

it('closes the tool servers that its runs shared, with the last of its runs', async () => {
  const sharedServers: SharedServers = { isOn: true, open: new Set() };
  await withServeScene(
    idleWorkspace(),
    async (scene) => {
      const { id } = (await submitted(scene, 'idle', { input: 'x' })).json();
      await untilStatus(scene, id, 'running');
      const { openServers } = await scene.session();
      const [one, other] = [openServers(), openServers()];
      const server = linkedServer('files', { source: 'wiki' });
      expect(await one.toolServer(server, PROCESS_LEASE, '')).toBe(await other.toolServer(server, PROCESS_LEASE, ''));
      await Promise.all([one.closeServers(), other.closeServers()]);
      await reload(scene, 2);
      expect(sharedServers.open.size).toBe(1);

      await scene.serve.stop({ job: id, by: 'tester' });

      await untilStatus(scene, id, 'stopped');
      await expect.poll(() => sharedServers.open.size).toBe(0);
    },
    { env: SLOW, sharedServers },
  );
});
