import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startServe } from '../support/http/serve-process.js';
import { talk } from './workspaces.js';
import { makeWorld, type World } from './world.js';

const SECRET = 'a-long-shared-secret';
const signed = (body: string): string => `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

const trigger = (repeats: string): string => `apiVersion: kit/v1
kind: Trigger
metadata: { id: pr, name: Pull requests }
type: webhook
targets: [talk]
config: { auth: { method: hmac, credentials_ref: HOOK_SECRET${repeats} } }
`;

async function serve(name: string, repeats: string) {
  const dir = world.files(name, talk({ files: { 'triggers/pr.yaml': trigger(repeats) } }));
  const server = await startServe([dir], { ...world.env, HOOK_SECRET: SECRET });
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await server.ended;
  });
  const deliver = async (body: string, headers: Record<string, string> = {}): Promise<string> => {
    const response = await fetch(`${server.url}/hooks/talk`, {
      ...{ method: 'POST', body },
      headers: { 'x-hub-signature-256': signed(body), ...headers },
    });
    expect(response.status).toBe(200);
    return ((await response.json()) as { readonly job_id: string }).job_id;
  };
  const fired = async (): Promise<number> => {
    const response = await fetch(`${server.url}/events?types=trigger.fired`);
    return ((await response.json()) as { readonly events: readonly unknown[] }).events.length;
  };
  return { deliver, fired };
}

it('a delivery that comes again answers the run that it began, where the hook says so', async () => {
  const { deliver, fired } = await serve('same-run', ', repeats: same_run');

  const first = await deliver('{"input":"merge 7"}');
  // Whoever caught it may write other headers, and no other body.
  expect(await deliver('{"input":"merge 7"}', { 'x-github-delivery': 'another' })).toBe(first);
  expect(await deliver('{"input":"merge 8"}')).not.toBe(first);
  expect(await fired()).toBe(2);
});

it('a delivery that comes again starts another run where the hook says nothing', async () => {
  const { deliver, fired } = await serve('start', '');

  expect(await deliver('{"input":"merge 7"}')).not.toBe(await deliver('{"input":"merge 7"}'));
  expect(await fired()).toBe(2);
});
