import { expect, it } from 'vitest';
import { submitted } from '../../../support/http/ask.js';
import { idleTopology, idleWorkspace } from '../../../support/http/idle-workspace.js';
import { withServeScene } from '../../../support/http/serve-scene.js';

it('an input that is refused is logged under the name and the ticket of other events', async () => {
  const files = { 'topologies/idle.yaml': idleTopology('idle', { input_schema: { type: 'object' } }) };
  await withServeScene(idleWorkspace({ files }), async (scene) => {
    const answer = await submitted(scene, 'idle@1.0.0', { input: 'text', correlation_id: 'T-1', labels: { a: 'b' } });
    expect(answer.statusCode).toBe(422);

    const { events } = await (await scene.stores()).events.read({ types: ['input.rejected'], limit: 10 });

    expect(events).toMatchObject([{ topologyId: 'idle', correlationId: 'T-1', labels: { a: 'b' } }]);
  });
});
