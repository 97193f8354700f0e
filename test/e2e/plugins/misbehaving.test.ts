import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ServeProcess, startServe } from '../../support/http/serve-process.js';
import { writePlugin } from '../../support/plugin-package.js';
import { makeRepositoryIn } from '../repository.js';
import { lastOf, makeWorld, type World } from '../world.js';
import { endsTheProcess, NAME, naughty, naughtyFiles, onlyItself } from './misbehaving.js';

const WAIT = { timeout: 60_000, interval: 100 };
const LANES = 4;

let world: World;
let dir: string;
let env: NodeJS.ProcessEnv;
beforeAll(async () => {
  world = await makeWorld();
  dir = makeRepositoryIn(world, 'naughty', { ...naughtyFiles }).root;
  const marks = join(world.base, 'marks');
  mkdirSync(marks);
  env = { ...world.env, MARKS: marks };
  const linked = await world.here(['plugins', 'link', await writePlugin(world.base, naughty()), '--yes', '--json']);
  if (linked.code !== 0) throw new Error(linked.stdout);
});
afterAll(() => world.dispose());

async function serve(at: string): Promise<ServeProcess> {
  const server = await startServe([at], env);
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await server.ended;
  });
  await vi.waitUntil(async () => (await fetch(`${server.url}/health`)).status === 200, WAIT);
  return server;
}

async function submit({ url }: ServeProcess, how: string): Promise<string> {
  const answer = await fetch(`${url}/run/work`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: `do:${how}` }),
  });
  const body = (await answer.json()) as { readonly id: string };
  expect(answer.status).toBe(200);
  return body.id;
}

interface Ended {
  readonly status: string;
  readonly error?: unknown;
}

/** The run once nothing more becomes of it. */
async function ended({ url }: ServeProcess, id: string): Promise<Ended> {
  let job: Ended | undefined;
  await vi.waitFor(async () => {
    job = (await (await fetch(`${url}/jobs/${id}`)).json()) as Ended;
    expect(['completed', 'failed']).toContain(job.status);
  }, WAIT);
  return job as Ended; // it was read
}

describe('a plugin that misbehaves', () => {
  it('fails its own run by name or does no harm, and the server serves on', async () => {
    const server = await serve(dir);
    const runs = await Promise.all(onlyItself.map(async (how) => ({ how, id: await submit(server, how) })));
    const ends = Object.fromEntries(
      await Promise.all(runs.map(async ({ how, id }) => [how, await ended(server, id)] as const)),
    );
    const harmless = /^(leaks|changes)|loose-script/;
    const statuses = Object.fromEntries(onlyItself.map((how) => [how, ends[how]?.status]));

    expect(statuses).toEqual(
      Object.fromEntries(onlyItself.map((how) => [how, harmless.test(how) ? 'completed' : 'failed'])),
    );
    for (const how of onlyItself.filter((name) => /^(throws|rejects|pollutes-every|defines)/.test(name)))
      expect([how, JSON.stringify(ends[how])]).toEqual([how, expect.stringContaining(NAME)]);
    expect((await ended(server, await submit(server, 'nothing'))).status).toBe('completed');
    expect(server.stderr()).not.toContain('KIT_INTERNAL');

    // What it left open keeps no server alive that was asked to go.
    server.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(server.stderr()).toContain(`plugins left something open`);
  }, 120_000);

  it('ends the process with its name at worst, and the next process completes what it cut off', async () => {
    // A process that ends so waits for seconds: four at once, each over a store of its own.
    const lanes = Array.from({ length: LANES }, (_, lane) => endsTheProcess.filter((_case, n) => n % LANES === lane));
    await Promise.all(
      lanes.map(async (cases, lane) => {
        const at = makeRepositoryIn(world, `lane-${lane}`, { ...naughtyFiles }).root;
        const cut: string[] = [];
        for (const { how, said } of cases) {
          const server = await serve(at);
          cut.push(await submit(server, how));
          const code = await server.ended;
          const stderr = server.stderr();
          expect([how, code, stderr]).toEqual([how, 1, expect.stringContaining('error[KIT_PLUGIN_CRASHED]')]);
          expect([how, stderr]).toEqual([how, expect.stringContaining(`${NAME} ended this process`)]);
          expect(stderr).toMatch(said);
        }

        const last = await serve(at);
        const ends = await Promise.all(cut.map((id) => ended(last, id)));
        expect(ends.map(({ status }) => status)).toEqual(cut.map(() => 'completed'));
      }),
    );
  }, 240_000);

  it('that blocks the loop is named by the thread beside it, and its run goes on in the next process', async () => {
    const server = await serve(dir);
    const id = await submit(server, 'blocks-the-loop');
    expect(await server.ended).toBeNull();
    expect(server.stderr()).toMatch(
      new RegExp(`error\\[KIT_PLUGIN_CRASHED\\]: nothing went on in this process for 10 s; in call: ${NAME}`),
    );

    expect((await ended(await serve(dir), id)).status).toBe('completed');
  }, 120_000);

  it('ends `kit run` with its name, and --resume completes the run', async () => {
    const run = await world.kit(['run', dir, 'work', '--input', 'do:throws-in-a-timer', '--json'], {
      env: { ...env, MARKS: world.temp },
    });
    expect([run.code, lastOf(run)]).toMatchObject([1, { type: 'error', code: 'KIT_PLUGIN_CRASHED' }]);

    const resumed = await world.kit(['run', dir, '--resume', '--json'], { env: { ...env, MARKS: world.temp } });
    expect([resumed.code, lastOf(resumed)]).toMatchObject([0, { status: 'completed' }]);
  }, 60_000);
});
