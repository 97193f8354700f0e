import { rm } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { createDatabase } from '../../../support/components/postgres.js';
import { chainFiles, startFailingModel } from '../../../support/failing-chain.js';
import { act, read, submitted, untilStatus } from '../../../support/http/ask.js';
import { idleWorkspace } from '../../../support/http/idle-workspace.js';
import { makeDirectory, openServeScene } from '../../../support/http/serve-scene.js';

it('a server on PostgreSQL retries what another one failed, once, whichever of two is asked', {
  timeout: 60_000,
}, async () => {
  const database = await createDatabase();
  const model = await startFailingModel('w8');
  const directory = await makeDirectory(idleWorkspace({ files: chainFiles() }));
  const env = { MODEL_URL: model.url, LOCAL_KEY: 'key-of-the-test', KIT_MOCK_DELEGATE: '1' };
  const storage = { backend: 'postgres', url: database.url, setting: 'a test' } as const;
  const scenes = [
    await openServeScene(directory, { env, storage }),
    await openServeScene(directory, { env, storage }),
  ] as const;
  try {
    const [one, other] = scenes;
    const failed = (await submitted(one, 'chain', { input: 'Go.' })).json().id;
    await untilStatus(one, failed, 'failed');
    const paid = model.answered();
    model.fix();

    const asked = await Promise.all(scenes.map((scene) => act(scene, `/jobs/${failed}/retry`)));

    expect(asked.map(({ statusCode }) => statusCode)).toEqual([202, 202]);
    const ids = new Set(asked.map((answer) => answer.json().job_id));
    expect(ids.size).toBe(1);
    expect(asked.map((answer) => answer.json().already_retried).sort()).toEqual([false, true]);
    const [id = ''] = ids;
    await untilStatus(other, id, 'completed');
    expect(model.answered()).toEqual({ ...paid, w8: 1, w9: 1 });
    expect((await read(other, `/jobs/${id}`)).json()).toMatchObject({ parent_job_id: failed, usage_input_tokens: 20 });
    expect((await read(one, `/jobs/${failed}`)).json()).toMatchObject({ status: 'failed', usage_input_tokens: 70 });
  } finally {
    for (const scene of scenes) await scene.stop();
    await model.close();
    await database.drop();
    await rm(directory, { recursive: true, force: true });
  }
});
