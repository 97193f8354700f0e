import { createHmac } from 'node:crypto';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createDatabase, type TestDatabase } from '../../support/components/postgres.js';
import { type ServeProcess, startServe } from '../../support/http/serve-process.js';
import { makeWorld } from '../world.js';
import { MAY_DIFFER, neutral, pick, SAME } from './compare.js';
import { PLACE_OF_EVENT, PLACE_OF_STEP, without } from './trail.js';
import { type Case, entryWorkspace, HOOK_SECRET, inputOf, scripted } from './workspace.js';

const WAIT = { timeout: 60_000, interval: 100 };
const JSON_BODY = { 'content-type': 'application/json' };

/**
 * What stands in the database of one run: its row, its events and its steps, masked like those of
 * every other entry point.
 */
async function trailOf(database: TestDatabase, id: string) {
  const rows = (table: string, order: string) =>
    database.query<Record<string, unknown>>(
      `SELECT * FROM kit.${table} WHERE ${table === 'jobs' ? 'id' : 'job_id'} = $1 ORDER BY ${order}`,
      [id],
    );
  const [[row = {}], events, steps] = await Promise.all([
    rows('jobs', 'ord'),
    rows('events', 'seq'),
    rows('steps', 'ord'),
  ]);
  return {
    row,
    events: events.map((event) => without(event, PLACE_OF_EVENT, id)),
    steps: steps.map((step) => without(step, PLACE_OF_STEP, id)),
  };
}

/** Entry points of a server, as somebody uses them; each gives the id of its job. */
const ENTRY_POINTS: Readonly<Record<string, (server: ServeProcess, name: Case) => Promise<string>>> = {
  'POST /run': async ({ url }, name) => {
    const topology = name === 'plain' ? 'talk' : 'strict';
    const answer = await fetch(`${url}/run/${topology}`, {
      method: 'POST',
      headers: JSON_BODY,
      body: JSON.stringify({ input: inputOf(name) }),
    });
    return String(((await answer.json()) as { readonly id?: string; readonly code?: string }).id ?? 'refused');
  },
  'a webhook': async ({ url }, name) => {
    const body = JSON.stringify({ input: inputOf(name) });
    const signature = `sha256=${createHmac('sha256', HOOK_SECRET).update(body).digest('hex')}`;
    const path = name === 'plain' ? 'talk' : 'strict';
    const answer = await fetch(`${url}/hooks/${path}`, {
      method: 'POST',
      headers: { ...JSON_BODY, 'x-hub-signature-256': signature },
      body,
    });
    return String(((await answer.json()) as { readonly id?: string }).id ?? 'refused');
  },
  'a conversation': async ({ url }, name) => {
    const topology = name === 'plain' ? 'talk' : 'strict';
    const made = await fetch(`${url}/conversations`, {
      method: 'POST',
      headers: JSON_BODY,
      body: JSON.stringify({ topology }),
    });
    const { id } = (await made.json()) as { readonly id: string };
    const message = JSON.stringify({ message: JSON.stringify(inputOf(name)) });
    const answer = await fetch(`${url}/conversations/${id}/messages`, {
      method: 'POST',
      headers: JSON_BODY,
      body: message,
    });
    await answer.text();
    return answer.headers.get('location')?.replace('/jobs/', '') ?? 'refused';
  },
};

it('a run that an api accepts and a worker executes leaves the trail of one that a server carries out itself', {
  timeout: 240_000,
}, async () => {
  const [world, database] = await Promise.all([makeWorld(), createDatabase()]);
  const servers: ServeProcess[] = [];
  onTestFinished(async () => {
    for (const server of servers) {
      server.kill('SIGKILL');
      await server.ended;
    }
    await world.dispose();
    await database.drop();
  });
  const dir = world.files('entry-points', scripted(entryWorkspace()));
  const env = { ...world.env, HOOK_SECRET, KIT_STORE_URL: database.url };
  const serve = async (...argv: readonly string[]): Promise<ServeProcess> => {
    const server = await startServe([dir, ...argv], env);
    servers.push(server);
    await vi.waitUntil(async () => (await fetch(`${server.url}/health`)).status === 200, WAIT);
    return server;
  };
  const ended = (id: string) =>
    vi.waitUntil(
      async () =>
        (await database.query('SELECT 1 FROM kit.jobs WHERE id = $1 AND completed_at IS NOT NULL', [id])).length === 1,
      WAIT,
    );
  const through = async (server: ServeProcess) => {
    const found: Record<string, Awaited<ReturnType<typeof trailOf>>> = {};
    for (const [entry, submit] of Object.entries(ENTRY_POINTS))
      for (const name of ['plain', 'fits'] as const) {
        const id = await submit(server, name);
        await ended(id);
        found[`${entry}: ${name}`] = await trailOf(database, id);
      }
    return found;
  };

  const alone = await serve();
  const reference = await through(alone);
  alone.kill('SIGTERM');
  expect(await alone.ended).toBe(0);
  const api = await serve('--role', 'api');
  const worker = world.start(['worker', dir], { env });
  await worker.sees(/worker \S+: class/);
  const queued = await through(api);

  expect(Object.keys(queued)).toHaveLength(6);
  for (const [name, { row, events, steps }] of Object.entries(queued)) {
    const like = reference[name] ?? expect.fail();
    // The one difference: it waited for a worker.
    expect([name, pick(row, SAME)]).toEqual([name, { ...pick(like.row, SAME), waiting_status: 'queued' }]);
    const mine = Object.keys(MAY_DIFFER).filter((column) => column !== 'correlation_id');
    expect([name, pick(row, mine)]).toEqual([name, pick(like.row, mine)]);
    expect([name, neutral(events)]).toEqual([name, neutral(like.events)]);
    expect([name, steps]).toEqual([name, like.steps]);
    expect(row.status).toBe('completed');
  }
  const jobs = () => database.query('SELECT count(*)::int AS jobs FROM kit.jobs');
  const before = await jobs();
  for (const submit of Object.values(ENTRY_POINTS)) expect(await submit(api, 'fits-not')).toBe('refused');
  expect(await jobs()).toEqual(before);
});
