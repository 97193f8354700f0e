import { expect, it, onTestFinished } from 'vitest';
import { topology } from '../../compile/rules/artifact-text.js';
import { submitted, untilStatus } from '../../support/http/ask.js';
import { idleWorkspace } from '../../support/http/idle-workspace.js';
import { withServeScene } from '../../support/http/serve-scene.js';
import { type Reply, startModelServer } from '../../support/model-server.js';

const PROVIDER = `apiVersion: kit/v1
kind: ModelProvider
metadata: { id: local, name: Local, description: A model server of this machine. }
spec:
  extends: openai-compatible
  base_url: "\${MODEL_URL}"
  auth: { api_key_env: LOCAL_KEY }
  models: { accept_any: true }
  limits: { in_flight: 1 }
provenance: { authored_by: human, version: 1.0.0 }
`;

it('a run that began after a reload waits for the request of one that began before it', async () => {
  const answered = Promise.withResolvers<void>();
  const reply: Reply = { do: 'answer', text: 'ok' };
  const model = await startModelServer(() => reply);
  onTestFinished(() => model.close());
  model.script({ do: 'hold', until: answered.promise, reply });
  const files = {
    'providers/local.yaml': PROVIDER,
    'topologies/talk.yaml': topology('talk', 'model: { provider: local, name: m1 }'),
  };
  await withServeScene(
    idleWorkspace({ files }),
    async (scene) => {
      const before = (await submitted(scene, 'talk', { input: 'one' })).json();
      await expect.poll(() => model.requests.length).toBe(1);
      expect(await scene.serve.reload()).toMatchObject({ valid: true });
      const after = (await submitted(scene, 'talk', { input: 'two' })).json();
      const typesOf = async (id: string) =>
        (await (await scene.stores()).events.readRun(id, 0, 1000)).map(({ type }) => type);
      await expect.poll(() => typesOf(after.id)).toContain('step.waiting');
      expect(model.requests).toHaveLength(1);

      answered.resolve();

      await untilStatus(scene, before.id, 'completed');
      await untilStatus(scene, after.id, 'completed');
    },
    { env: { MODEL_URL: model.url, LOCAL_KEY: 'key-of-the-test' } },
  );
});
