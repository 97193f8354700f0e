import { expect, onTestFinished, vi } from 'vitest';
import { createDatabase, type TestDatabase } from '../../support/components/postgres.js';
import { type ServeProcess, startServe } from '../../support/http/serve-process.js';
import type { KitResult } from '../../support/kit-process.js';
import { type ModelServer, type RecordedRequest, type Reply, startModelServer } from '../../support/model-server.js';
import { roleFile } from '../review/gated-workspace.js';
import { localProvider, talk } from '../workspaces.js';
import { makeWorld } from '../world.js';

/** Generous: a loaded machine is not a failure. */
export const WAIT = { timeout: 60_000, interval: 100 };

/** A model that tells its callers apart by their prompt and by the word `job-<n>` of their run. */
export interface CountingModel extends ModelServer {
  /** Answers of the helper of these runs wait until `release`. */
  hold(): void;
  release(): void;
  /** How often each asked: `boss job-1` -> 2. */
  calls(): Readonly<Record<string, number>>;
}

const AGENTS = { 'You lead.': 'boss', 'You help.': 'helper', 'You write.': 'writer' } as const;

const who = (request: RecordedRequest): string => {
  const text = JSON.stringify(request.body.messages);
  const [, agent = 'nobody'] = Object.entries(AGENTS).find(([prompt]) => text.includes(prompt)) ?? [];
  return `${agent} ${/job-\d+/.exec(text)?.[0] ?? 'none'}`;
};

async function startCountingModel(): Promise<CountingModel> {
  let gate: PromiseWithResolvers<void> | null = null;
  const server = await startModelServer((request): Reply => {
    const [agent, run] = who(request).split(' ');
    if (agent === 'boss' && request.body.messages.at(-1)?.role !== 'tool')
      return { do: 'answer', calls: [{ name: 'delegate_to_helper', arguments: { task: `help with ${run}` } }] };
    const reply: Reply = { do: 'answer', text: 'all done' };
    return agent === 'helper' && gate !== null ? { do: 'hold', until: gate.promise, reply } : reply;
  });
  return {
    ...server,
    hold: () => {
      gate = Promise.withResolvers<void>();
    },
    release: () => {
      gate?.resolve();
      gate = null;
    },
    calls: () => {
      const counted: Record<string, number> = {};
      for (const request of server.requests) counted[who(request)] = (counted[who(request)] ?? 0) + 1;
      return counted;
    },
  };
}

const GATED = `apiVersion: kit/v1
kind: Topology
metadata: { name: gated, version: 1.0.0, description: One gated agent. }
agents:
  root: { id: writer, role: root, model: { provider: local, name: m1 }, prompt: { system: You write. }, funnel: sign-off }
`;
const FUNNEL = `apiVersion: kit/v1
kind: Funnel
metadata: { id: sign-off, name: Sign-off, description: One role signs. }
approve:
  rules:
    - { scope: "release:sign", roles: [qa], quorum: all }
provenance: { authored_by: human, version: 1.0.0 }
`;

/**
 * `talk` (leader and helper) and `gated` (one signature) over the counting model. `workspace` is
 * YAML.
 */
export const servedFiles = (workspace: string, files: Readonly<Record<string, string>> = {}): Record<string, string> =>
  talk({
    provider: 'local',
    workspace,
    files: {
      'providers/local.yaml': localProvider,
      'topologies/gated.yaml': GATED,
      'funnels/sign-off.yaml': FUNNEL,
      'roles/people.yaml': roleFile('roles:\n  - { id: qa, members: [qa-1], scopes: ["release:sign"] }\n'),
      ...files,
    },
  });

export type Wire = Readonly<Record<string, unknown>> & { readonly id: string; readonly status: string };

/** One server and its HTTP, in a few words. */
export interface Served extends ServeProcess {
  post(path: string, body?: object): Promise<{ readonly status: number; readonly body: Wire }>;
  get<T = Wire>(path: string): Promise<T>;
  submit(topology: string, input: string): Promise<string>;
  until(id: string, status: string): Promise<Wire>;
}

export interface ServedWorld {
  readonly dir: string;
  readonly model: CountingModel;
  readonly database: TestDatabase | null;
  serve(argv?: readonly string[]): Promise<Served>;
  kit(...argv: readonly string[]): Promise<KitResult>;
}

export const STORES = ['sqlite', 'postgres'] as const;
export type Store = (typeof STORES)[number];

/**
 * A workspace, its model and its store; everything ends with the test. `more` is set for every
 * process.
 */
export async function openServedWorld(
  store: Store,
  workspace: string,
  files: Readonly<Record<string, string>> = {},
  more: NodeJS.ProcessEnv = {},
): Promise<ServedWorld> {
  const world = await makeWorld();
  onTestFinished(() => world.dispose());
  const model = await startCountingModel();
  onTestFinished(async () => {
    model.release();
    await model.close();
  });
  const database = store === 'postgres' ? await createDatabase() : null;
  if (database !== null) onTestFinished(() => database.drop());
  const dir = world.files('served', servedFiles(workspace, files));
  const env = {
    ...world.env,
    ...more,
    MODEL_URL: model.url,
    LOCAL_KEY: 'key-of-the-test',
    ...(database === null ? {} : { KIT_STORE_URL: database.url }),
  };
  return {
    dir,
    model,
    database,
    kit: (...argv) => world.kit(argv, { env }),
    serve: async (argv = []) => {
      const server = await startServe([dir, ...argv], env);
      onTestFinished(async () => {
        server.kill('SIGKILL');
        await server.ended;
      });
      await vi.waitUntil(async () => (await fetch(`${server.url}/health`)).status === 200, WAIT);
      return served(server);
    },
  };
}

function served(server: ServeProcess): Served {
  const get = async <T>(path: string): Promise<T> => (await (await fetch(`${server.url}${path}`)).json()) as T;
  const post: Served['post'] = async (path, body) => {
    const answer = await fetch(`${server.url}${path}`, {
      method: 'POST',
      ...(body === undefined ? {} : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
    });
    return { status: answer.status, body: (await answer.json()) as Wire };
  };
  return {
    ...server,
    get,
    post,
    submit: async (topology, input) => {
      const { status, body } = await post(`/run/${topology}`, { input });
      expect([status, body]).toMatchObject([200, { status: 'pending' }]);
      return body.id;
    },
    until: async (id, status) => {
      await vi.waitFor(async () => expect((await get<Wire>(`/jobs/${id}`)).status).toBe(status), WAIT);
      return get(`/jobs/${id}`);
    },
  };
}

/** The first signature of a gated run, given by `kit review`; the decision alone is recorded. */
export const sign = ({ kit, dir }: ServedWorld, job: string): Promise<KitResult> =>
  kit('review', 'resolve', `mpa-${job}:writer-0-qa`, dir, '--as', 'qa-1', '--approve', '--no-resume', '--json');
