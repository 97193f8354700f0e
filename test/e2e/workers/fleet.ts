import { onTestFinished, vi } from 'vitest';
import { createDatabase, type TestDatabase } from '../../support/components/postgres.js';
import { type ServeProcess, startServe } from '../../support/http/serve-process.js';
import { type LeaderServer, startLeaderServer } from '../leader-server.js';
import { localProvider, talk } from '../workspaces.js';
import { type LiveKit, makeWorld, type World } from '../world.js';

/** What a process may wait for on a busy machine. */
export const WAIT = { timeout: 60_000, interval: 150 };

const STORAGE = 'storage: { runtime: { backend: postgres, url: "${RUNS_URL}" } }\n';

/** Keys of people, for servers that ask who calls. */
export const PEOPLE_KEYS = {
  DANA_KEY: 'the-long-key-of-dana',
  QA_KEY: 'the-long-key-of-qa-1',
  OPS_KEY: 'the-long-key-of-ops-1',
} as const;

/** How a process is started where not as the others: by whom, and of which build. */
export interface Start {
  readonly env?: NodeJS.ProcessEnv;
  readonly program?: string;
}

/** One database, its processes, and the model that their runs ask. */
export interface Fleet {
  readonly world: World;
  readonly database: TestDatabase;
  readonly model: LeaderServer;
  readonly env: NodeJS.ProcessEnv;
  /**
   * A workspace on the database with short leases, for tests in which somebody dies; `jobs` are
   * settings of `server.jobs`.
   */
  readonly workspace: (
    name: string,
    more?: {
      readonly jobs?: string;
      readonly files?: Readonly<Record<string, string>>;
      readonly text?: string;
      readonly storage?: string;
      /** Default: 3. */
      readonly leaseSeconds?: number;
    },
  ) => string;
  readonly api: (dir: string, ...argv: readonly string[]) => Promise<ServeProcess>;
  /** A server that executes runs itself. */
  readonly server: (dir: string, ...argv: readonly string[]) => Promise<ServeProcess>;
  /** Resolves when it works. */
  readonly worker: (dir: string, ...argv: readonly string[]) => Promise<LiveKit>;
  /** The same, started in another way. */
  readonly by: (start: Start) => Pick<Fleet, 'api' | 'server' | 'worker'>;
}

export async function openFleet(): Promise<Fleet> {
  const [world, database, model] = await Promise.all([makeWorld(), createDatabase(), startLeaderServer()]);
  onTestFinished(async () => {
    model.release();
    await world.dispose();
    await model.close();
    await database.drop();
  });
  const env = {
    ...world.env,
    MODEL_URL: model.url,
    LOCAL_KEY: 'key-of-the-test',
    RUNS_URL: database.url,
    ...PEOPLE_KEYS,
  };
  const serving = async ({ program, env: over }: Start, argv: readonly string[]): Promise<ServeProcess> => {
    const server = await startServe([...argv], { ...env, ...over }, program);
    onTestFinished(async () => {
      server.kill('SIGKILL');
      await server.ended;
    });
    await vi.waitUntil(async () => (await fetch(`${server.url}/health`)).status === 200, WAIT);
    return server;
  };
  const by = (start: Start): Pick<Fleet, 'api' | 'server' | 'worker'> => ({
    api: (dir, ...argv) => serving(start, [dir, '--role', 'api', ...argv]),
    server: (dir, ...argv) => serving(start, [dir, ...argv]),
    worker: async (dir, ...argv) => {
      const worker = world.start(['worker', dir, ...argv], { ...start, env: { ...env, ...start.env } });
      await worker.sees(/worker \S+: class|"type":"working"/);
      return worker;
    },
  });
  return {
    world,
    database,
    model,
    env,
    workspace: (name, { jobs = '', files = {}, text = '', storage = STORAGE, leaseSeconds = 3 } = {}) =>
      world.files(
        name,
        talk({
          provider: 'local',
          workspace: `${storage}server: { jobs: { lease_seconds: ${leaseSeconds}${jobs} } }\n${text}`,
          files: { 'providers/local.yaml': localProvider, ...files },
        }),
      ),
    ...by({}),
    by,
  };
}

/** One answer of a server. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Readonly<Record<string, unknown>>;
}

export async function ask(
  { url }: Pick<ServeProcess, 'url'>,
  path: string,
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
  const answer = await fetch(`${url}${path}`, { ...post, headers: { 'content-type': 'application/json', ...headers } });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Record<string, unknown> };
}

/** Resolves with the record of a job once it has this status. */
export async function until(
  server: Pick<ServeProcess, 'url'>,
  job: unknown,
  status: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Readonly<Record<string, unknown>>> {
  let last: Readonly<Record<string, unknown>> = {};
  await vi.waitUntil(async () => {
    last = (await ask(server, `/jobs/${String(job)}`, undefined, headers)).body;
    return last.status === status;
  }, WAIT);
  return last;
}
