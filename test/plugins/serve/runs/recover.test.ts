import { expect, it, vi } from 'vitest';
import { act, submitted, untilStatus } from '../../../support/http/ask.js';
import { idleWorkspace } from '../../../support/http/idle-workspace.js';
import { withServeScene } from '../../../support/http/serve-scene.js';

it('finds dead runs by the setting of the server also when somebody resumes one', async () => {
  await withServeScene(idleWorkspace({ jobs: { recover: 'all' } }), async (scene) => {
    const id = (await submitted(scene, 'idle', { input: 'x' })).json().id;
    await untilStatus(scene, id, 'completed');
    const sweep = vi.spyOn((await scene.stores()).jobs, 'sweep');
    expect((await act(scene, `/jobs/${id}/resume`)).statusCode).toBe(409);
    expect(sweep.mock.calls.map(([, options]) => options)).toContainEqual({ recoverAll: true });
    expect(sweep.mock.calls.every(([, options]) => options?.recoverAll === true)).toBe(true);
  });
});
