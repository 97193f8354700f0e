import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { localProvider, talk } from '../e2e/workspaces.js';
import { makeWorld, type World } from '../e2e/world.js';
import { createDatabase, type TestDatabase } from '../support/components/postgres.js';
import { createMember, type Member } from '../support/fleet/member.js';
import { rowVersions } from '../support/fleet/row-versions.js';
import { startWire, type Wire } from '../support/fleet/wire.js';
import { type ModelServer, type Reply, startModelServer } from '../support/model-server.js';
import { until } from '../support/processes.js';

/**
 * Of the worker that stands still, and of the one that takes over. Heartbeats of `next` would be
 * new versions of rows, so there are none; it looks for leases that are over when it starts.
 * `watchful` looks every second.
 */
const LEASE_SECONDS = { stale: 3, next: 600, watchful: 3 } as const;
const WAIT_MS = 60_000;
/** The server ends a transaction whose client says nothing for this long. */
const IDLE_IN_TRANSACTION_MS = 5_000;

let world: World;
let database: TestDatabase;
let model: Awaited<ReturnType<typeof startHeldModel>>;
let wire: Wire;
let members: Member[];
beforeEach(async () => {
  [world, database, model] = await Promise.all([makeWorld(), createDatabase(), startHeldModel()]);
  wire = await startWire(Number(new URL(database.url).port));
  members = [];
});
afterEach(async () => {
  await Promise.all(members.map((member) => member.kill()));
  await wire.close();
  await model.close();
  await database.drop();
  await world.dispose();
});

/** Each call waits until the test lets it be answered, in order of the calls. */
async function startHeldModel(): Promise<ModelServer & { answer(nth: number): void }> {
  const gates: PromiseWithResolvers<void>[] = [];
  const gate = (nth: number): PromiseWithResolvers<void> => {
    gates[nth] ??= Promise.withResolvers<void>();
    return gates[nth];
  };
  let asked = 0;
  const server = await startModelServer((): Reply => {
    const { promise } = gate(asked);
    asked += 1;
    return { do: 'hold', until: promise, reply: { do: 'answer', text: 'all done' } };
  });
  return { ...server, answer: (nth) => gate(nth).resolve() };
}

const envOf = (port: number): NodeJS.ProcessEnv => {
  const url = new URL(database.url);
  url.port = String(port);
  return {
    ...world.env,
    KIT_STORE_URL: url.href,
    MODEL_URL: model.url,
    LOCAL_KEY: 'key-of-the-test',
    KIT_MODEL_RETRIES: '0',
  };
};
const logOf = (name: string): string => join(world.base, `${name}.log`);
const logged = (name: string, pattern: RegExp): boolean =>
  existsSync(logOf(name)) && pattern.test(readFileSync(logOf(name), 'utf8'));

/** A worker of the same workspace, whose lease is its own. */
function worker(name: keyof typeof LEASE_SECONDS, port: number): Member {
  const dir = world.files(
    name,
    talk({
      provider: 'local',
      workspace: `server: { jobs: { lease_seconds: ${LEASE_SECONDS[name]} } }\n`,
      files: { 'providers/local.yaml': localProvider },
    }),
  );
  const member = createMember({ name, argv: ['worker', dir], env: envOf(port), logFile: logOf(name) });
  members.push(member);
  return member;
}

const job = async () => {
  const [row] = await database.query<{
    id: string;
    status: string;
    attempt: number;
    lease_until: string | null;
    worker_id: string | null;
  }>('SELECT id, status, attempt, lease_until, worker_id FROM kit.jobs');
  return row ?? null;
};
const leaseIsOver = async (): Promise<boolean> =>
  (await database.query<{ over: boolean }>('SELECT lease_until < kit.kit_now() AS over FROM kit.jobs'))[0]?.over ===
  true;
const asked = (): number => model.requests.length;
const ends = () =>
  database.query<{ ends: number }>("SELECT count(*)::int AS ends FROM kit.events WHERE type = 'run.ended'");

/**
 * A run that waits in the queue, as an api leaves it; then the first worker has it and its model is
 * asked.
 */
async function runningOn(member: Member): Promise<string> {
  await submitted();
  member.start();
  await until('the first worker asks the model', () => asked() === 1, WAIT_MS);
  return (await job())?.id ?? '';
}

async function submitted(): Promise<void> {
  const dir = world.files('api', talk({ provider: 'local', files: { 'providers/local.yaml': localProvider } }));
  const api = world.start(['serve', dir, '--role', 'api', '--port', '0'], {
    env: envOf(Number(new URL(database.url).port)),
    stdin: '',
  });
  const [, url] = await api.sees(/listening on (http:\S+)/);
  const answer = await fetch(`${url}/run/talk`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input: 'hi' }),
  });
  expect(answer.status).toBe(200);
  api.child.kill('SIGTERM');
  await api.ended;
}

describe('a worker that stands still past its lease', () => {
  it('has not one write accepted when it moves again: no row of the run has another version', async () => {
    const stale = worker('stale', wire.port);
    const id = await runningOn(stale);
    stale.signal('SIGSTOP');
    await until('the lease is over', leaseIsOver, WAIT_MS);
    worker('next', Number(new URL(database.url).port)).start();
    await until('the second worker asks the model', () => asked() === 2, WAIT_MS);
    expect((await job())?.attempt).toBe(2);
    const before = await rowVersions(database.url, id);

    model.answer(0);
    stale.signal('SIGCONT');
    await until(
      'the first worker was told that the lease is lost',
      () => logged('stale', /can no longer be written|given back|lease/i),
      WAIT_MS,
    );
    await stale.stop(20_000);
    const after = await rowVersions(database.url, id);

    process.stdout.write(
      `a stale worker that woke: ${after.filter((version) => !before.includes(version)).length} of ${before.length} rows written\n`,
    );
    expect(after).toEqual(before);
    model.answer(1);
    await until('the second worker ends the run', async () => (await job())?.status === 'completed', WAIT_MS);
    expect(await ends()).toEqual([{ ends: 1 }]);
    expect(asked()).toBe(2);
    expect(await rowVersions(database.url, id)).not.toEqual(before);
  }, 180_000);
});

describe('a write transaction that is open across the takeover', () => {
  /** The first worker has locked the row of its run, and what it writes next does not arrive. */
  async function heldOpen(id: string): Promise<void> {
    const held = wire.holdAt('model.called');
    model.answer(0);
    await held;
    const lock = () => database.query('SELECT 1 FROM kit.jobs WHERE id = $1 FOR NO KEY UPDATE NOWAIT', [id]);
    const refusal = () => lock().catch((error: { readonly code?: string }) => error.code);
    await until('the row of the run is locked', async () => (await refusal()) === '55P03', WAIT_MS);
  }
  const waiting = async (): Promise<boolean> => {
    const text =
      "SELECT 1 AS one FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'kit' AND wait_event_type = 'Lock'";
    return (await database.query(text)).length > 0;
  };

  it('makes the takeover wait for its end: what it committed is kept, what was undone is done once more', async () => {
    const stale = worker('stale', wire.port);
    const id = await runningOn(stale);
    worker('watchful', Number(new URL(database.url).port)).start();
    await until('the second worker is there', () => logged('watchful', /class any/), WAIT_MS);
    await heldOpen(id);
    await database.elapse(10_000);
    await until('the takeover waits for the lock', waiting, WAIT_MS);
    stale.signal('SIGSTOP');
    expect(await job()).toMatchObject({ attempt: 1, status: 'running' });

    wire.heal();
    // COMMIT has gone out with the writes: what arrives is the end of the run, and the takeover,
    // which waited, finds nothing to take. On a machine that is busy the server may have ended the
    // silent transaction by now: then the takeover has won, and asks again.
    model.answer(1);
    await until('the run is at its end', async () => (await job())?.status === 'completed', WAIT_MS);
    const isKept = (await job())?.attempt === 1;
    const before = await rowVersions(database.url, id);
    stale.signal('SIGCONT');
    if (!isKept)
      await until(
        'the first worker was told that the lease is lost',
        () => logged('stale', /can no longer be written|given back|lease/i),
        WAIT_MS,
      );
    await stale.stop(20_000);

    expect(await rowVersions(database.url, id)).toEqual(before);
    expect(await ends()).toEqual([{ ends: 1 }]);
    // Committed before the takeover, and kept, or undone: the answer is in the journal once, and
    // nobody asked more often than that takes.
    expect(await database.query("SELECT count(*)::int AS called FROM kit.events WHERE type = 'model.called'")).toEqual([
      { called: 1 },
    ]);
    const repeated = await database.query("SELECT 1 AS one FROM kit.events WHERE type = 'step.repeated'");
    process.stdout.write(
      `an open transaction across the takeover: the model was asked ${asked()} times, ${repeated.length} repetitions told\n`,
    );
    expect(asked()).toBe(1 + repeated.length);
    if (isKept) expect(repeated).toEqual([]);
  }, 180_000);

  it('is undone where the takeover comes first: nothing of it is ever seen', async () => {
    const stale = worker('stale', wire.port);
    const id = await runningOn(stale);
    await heldOpen(id);
    stale.signal('SIGSTOP');
    await database.elapse(10_000);
    worker('next', Number(new URL(database.url).port)).start();
    await until('the second worker asks the model', () => asked() === 2, WAIT_MS + IDLE_IN_TRANSACTION_MS);
    expect(await job()).toMatchObject({ attempt: 2, status: 'running' });
    const before = await rowVersions(database.url, id);

    wire.heal();
    stale.signal('SIGCONT');
    await until(
      'the first worker was told that the lease is lost',
      () => logged('stale', /can no longer be written|given back|lease/i),
      WAIT_MS,
    );
    await stale.stop(20_000);

    expect(await rowVersions(database.url, id)).toEqual(before);
    model.answer(1);
    await until('the second worker ends the run', async () => (await job())?.status === 'completed', WAIT_MS);
    expect(await ends()).toEqual([{ ends: 1 }]);
    expect(asked()).toBe(2);
  }, 180_000);
});
