import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chainFiles, type FailingModel, startFailingModel } from '../../../support/failing-chain.js';
import { act, read, submitted, untilStatus } from '../../../support/http/ask.js';
import { idleWorkspace } from '../../../support/http/idle-workspace.js';
import { as } from '../../../support/http/serve-group.js';
import { withServeScene } from '../../../support/http/serve-scene.js';

let model: FailingModel;
beforeEach(async () => {
  model = await startFailingModel('w8');
});
afterEach(() => model.close());

const env = () => ({ MODEL_URL: model.url, LOCAL_KEY: 'key-of-the-test', KIT_MOCK_DELEGATE: '1' });
const files = () => idleWorkspace({ files: chainFiles() });

describe('POST /jobs/{id}/retry', () => {
  it('makes one new job of a failed one, which asks for nothing twice', async () => {
    await withServeScene(
      files(),
      async (scene) => {
        const failed = (await submitted(scene, 'chain', { input: 'Go.', correlation_id: 'T-1' })).json().id;
        await untilStatus(scene, failed, 'failed');
        const paid = model.answered();
        model.fix();

        const first = await act(scene, `/jobs/${failed}/retry`);
        const { job_id: id } = first.json();
        await untilStatus(scene, id, 'completed');
        const second = await act(scene, `/jobs/${failed}/retry`);

        expect(first.statusCode).toBe(202);
        expect(first.json()).toMatchObject({ already_retried: false, asked_anew: [] });
        expect(second.json()).toEqual({ job_id: id, status: 'completed', already_retried: true, asked_anew: [] });
        expect(model.answered()).toEqual({ ...paid, w8: 1, w9: 1 });
        expect((await read(scene, `/jobs/${id}`)).json()).toMatchObject({
          parent_job_id: failed,
          correlation_id: 'T-1',
          usage_input_tokens: 20,
        });
      },
      { env: env() },
    );
  });

  it('refuses what did not fail, what is not there, and callers who may only read', async () => {
    await withServeScene(
      files(),
      async (scene) => {
        const done = (await submitted(scene, 'idle', { input: 'x' })).json().id;
        await untilStatus(scene, done, 'completed');

        expect((await act(scene, `/jobs/${done}/retry`)).json()).toMatchObject({
          status: 409,
          code: 'job-not-retryable',
        });
        expect((await act(scene, `/jobs/${done}/resume`)).json()).toMatchObject({ code: 'job-not-resumable' });
        expect((await act(scene, '/jobs/000000000000/retry')).json()).toMatchObject({
          status: 404,
          code: 'job-unknown',
        });
        expect((await act(scene, `/jobs/${done}/retry`, as('read'))).statusCode).toBe(403);
      },
      { env: env() },
    );
  });
});
