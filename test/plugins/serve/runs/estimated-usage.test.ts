import { expect, it, onTestFinished } from 'vitest';
import { localProvider } from '../../../e2e/workspaces.js';
import { read, submitted, untilStatus } from '../../../support/http/ask.js';
import { idleTopology, idleWorkspace } from '../../../support/http/idle-workspace.js';
import { withServeScene } from '../../../support/http/serve-scene.js';
import { startModelServer } from '../../../support/model-server.js';

it('marks the usage of a job as in part estimated, alone and in lists', async () => {
  const model = await startModelServer();
  onTestFinished(() => model.close());
  model.script({ do: 'cut', text: 'x'.repeat(400), how: 'end' }, { do: 'answer', text: 'fine' });
  const asking = JSON.parse(idleTopology('asking'));
  asking.agents.root.model = { provider: 'local', name: 'm1' };
  const files = {
    ...idleWorkspace(),
    'topologies/asking.yaml': JSON.stringify(asking),
    'providers/local.yaml': localProvider,
  };
  await withServeScene(
    files,
    async (scene) => {
      const { id } = (await submitted(scene, 'asking', { input: 'x' })).json();
      await untilStatus(scene, id, 'completed');

      const job = (await read(scene, `/jobs/${id}`)).json();
      const [listed] = (await read(scene, '/jobs/history')).json();

      expect(job.usage).toMatchObject({ estimated: true });
      expect(job.usage_output_tokens).toBeGreaterThanOrEqual(100);
      expect(listed).toMatchObject({ id, usage: job.usage });
    },
    { env: { MODEL_URL: model.url, LOCAL_KEY: 'key-of-the-test' } },
  );
});
