import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type ServeProcess, startServe } from '../../support/http/serve-process.js';
import type { ModelServer } from '../../support/model-server.js';
import { isRunning, until } from '../../support/processes.js';
import { makeWorld, type World } from '../world.js';
import { callOf, inputOf, startCallingModel, toolScene } from './tool-world.js';

let world: World;
let model: ModelServer;
beforeAll(async () => {
  [world, model] = await Promise.all([makeWorld(), startCallingModel()]);
});
afterAll(async () => {
  await model.close();
  await world.dispose();
});

async function serve(dir: string): Promise<ServeProcess> {
  const server = await startServe([dir], { ...world.env, MODEL_URL: model.url, LOCAL_KEY: 'key-of-the-test' });
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await server.ended;
  });
  return server;
}

async function submit({ url }: ServeProcess, input: string): Promise<string> {
  const response = await fetch(`${url}/run/talk`, {
    method: 'POST',
    body: JSON.stringify({ input }),
    headers: { 'content-type': 'application/json' },
  });
  return String(((await response.json()) as { readonly id: unknown }).id);
}

const jobOf = async ({ url }: ServeProcess, id: string) =>
  (await (await fetch(`${url}/jobs/${id}`)).json()) as Record<string, unknown>;
const ended = (server: ServeProcess, id: string, status: string) =>
  until(`${id} is ${status}`, async () => (await jobOf(server, id)).status === status, 40_000);

describe('kit serve', () => {
  it('shares one server among its runs, starts it anew when it has left, and ends it when it ends itself', async () => {
    const scene = toolScene(world, 'shared', { tools: ['look', 'leave', 'wait-keep'] });
    const starts = () => scene.notes().filter(({ did }) => did === 'started').length;
    const server = await serve(scene.dir);
    expect(starts()).toBe(0);

    const together = await Promise.all(['a', 'b', 'c'].map((text) => submit(server, inputOf([callOf('look', text)]))));
    for (const id of together) await ended(server, id, 'completed');
    expect(starts()).toBe(1);
    expect(scene.notes().filter(({ did }) => did === 'look')).toHaveLength(3);

    await ended(server, await submit(server, inputOf([callOf('leave')])), 'completed');
    await until('the server has left', () => scene.notes().every(({ pid }) => !isRunning(pid)));
    const later = await submit(server, inputOf([callOf('look', 'd')]));
    await ended(server, later, 'completed');
    expect(String((await jobOf(server, later)).output)).toContain('saw d');
    expect(starts()).toBe(2);

    server.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    await until('no server is left', () => scene.notes().every(({ pid }) => !isRunning(pid)));
    expect(world.leftovers()).toEqual([]);
  }, 120_000);

  it('tells the server that a call is not wanted any more when its run runs out of time, and other runs keep the server', async () => {
    const scene = toolScene(world, 'cancelled', {
      tools: ['look', 'wait-keep'],
      workspace: 'server: { jobs: { timeout_seconds: 3 } }\n',
    });
    const server = await serve(scene.dir);

    const slow = await submit(server, inputOf([callOf('wait-keep')]));
    await ended(server, slow, 'failed');
    await until('the server was told', () => scene.notes().some(({ did }) => did === 'cancelled'));
    await ended(server, await submit(server, inputOf([callOf('look')])), 'completed');

    expect(scene.notes().filter(({ did }) => did === 'started')).toHaveLength(1);
  }, 120_000);

  it('that is killed leaves no server behind', async () => {
    const scene = toolScene(world, 'orphans', { tools: ['look'] });
    const server = await serve(scene.dir);
    await ended(server, await submit(server, inputOf([callOf('look')])), 'completed');

    server.kill('SIGKILL');
    await server.ended;

    await until('no server is left', () => scene.notes().every(({ pid }) => !isRunning(pid)));
  }, 90_000);
});
