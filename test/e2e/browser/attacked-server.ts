import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, vi } from 'vitest';
import { FUZZED_FILES, VARIABLES } from '../../support/http/fuzz/workspace.js';
import { type ServeProcess, startServe } from '../../support/http/serve-process.js';
import { dumpStore } from '../../support/store-dump.js';
import { makeWorld } from '../world.js';

const WAIT = { timeout: 60_000, interval: 50 };

/** One finished request, as the server's own log tells it. */
export interface LoggedRequest {
  readonly method: string;
  readonly route: string;
  readonly status: number;
}

/** `kit serve` without authentication, in a process of its own, with something of everything. */
export interface AttackedServer {
  readonly url: string;
  readonly port: number;
  /** Real ids, by the beginning of the routes that take them. */
  readonly ids: Readonly<Record<string, string>>;
  /** As `curl` asks: no Origin. */
  readonly ask: (method: string, path: string, body?: object) => Promise<Response>;
  /** What the server has answered since the last call of `forget`. */
  readonly answered: () => readonly LoggedRequest[];
  readonly forget: () => void;
  /** Everything that a request could change, but for the access log. */
  readonly state: () => unknown;
  readonly kit: Awaited<ReturnType<typeof makeWorld>>['kit'];
  readonly close: () => Promise<void>;
}

const openFiles = (): Record<string, string> => {
  const files = Object.fromEntries(Object.entries(FUZZED_FILES).map(([path, text]) => [path, String(text)]));
  const workspace = JSON.parse(files['workspace.yaml'] ?? '');
  const { auth: _auth, signal: _signal, ...server } = workspace.server;
  const { events: _events, ...rest } = workspace;
  return { ...files, 'workspace.yaml': JSON.stringify({ ...rest, memory: { enabled: true }, server }) };
};

function filesBelow(directory: string): Readonly<Record<string, string>> {
  const isState = (place: string): boolean => place.startsWith(join(directory, '.kit')); // told by its rows
  const found = readdirSync(directory, { recursive: true, withFileTypes: true }).filter(
    (entry) => entry.isFile() && !isState(entry.parentPath),
  );
  return Object.fromEntries(
    found.map(({ parentPath, name }) => [join(parentPath, name), readFileSync(join(parentPath, name), 'utf8')]),
  );
}

const requestsOf = (log: string): readonly LoggedRequest[] =>
  [...log.matchAll(/info request (\{.*\})/g)].map(([, line = '']) => JSON.parse(line) as LoggedRequest);

function asker(server: ServeProcess): AttackedServer['ask'] {
  return (method, path, body) =>
    fetch(server.url + path, {
      method,
      ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
    });
}

/** What an answer names. */
interface Named {
  readonly id: string;
  readonly gate_id: string;
  readonly status: string;
  readonly artifacts: readonly { readonly ref: string }[];
}

/** Ordinary use: what it leaves is what the pages ask for. */
async function used(ask: AttackedServer['ask']): Promise<Readonly<Record<string, string>>> {
  const json = async (method: string, path: string, body?: object): Promise<Named> => {
    const answer = await ask(method, path, body);
    expect(answer.status, `${method} ${path}`).toBe(200);
    return (await answer.json()) as Named;
  };
  const parked = await json('POST', '/run/release', { input: 'x', correlation_id: 'order-7' });
  const done = await json('POST', '/run/idle', { input: 'x' });
  const conversation = await json('POST', '/conversations', { topology: 'idle' });
  const until = (id: string, status: string) =>
    vi.waitFor(async () => expect((await json('GET', `/jobs/${id}`)).status).toBe(status), WAIT);
  await until(parked.id, 'deferred');
  await until(done.id, 'completed');
  const [item] = (await json('GET', '/review')) as unknown as readonly Named[];
  const { artifacts } = await json('GET', '/artifacts');
  return {
    jobs: parked.id,
    usage: done.id,
    observability: done.id,
    review: item?.id ?? 'x',
    gates: item?.gate_id ?? 'x',
    conversations: conversation.id,
    artifacts: artifacts[0]?.ref ?? 'x',
  };
}

export async function startAttacked(): Promise<AttackedServer> {
  const world = await makeWorld();
  const directory = world.files('attacked', openFiles());
  const server = await startServe([directory], { ...world.env, ...VARIABLES, SIGNAL_ORIGIN: 'http://127.0.0.1:1' });
  const close = async (): Promise<void> => {
    server.kill('SIGKILL');
    await server.ended;
    await world.dispose();
  };
  try {
    const [, store = ''] = /storage: sqlite \((.*store\.sqlite)\)/.exec(server.stderr()) ?? [];
    const ask = asker(server);
    const ids = await used(ask);
    let from = server.stderr().length;
    return {
      url: server.url,
      port: Number(new URL(server.url).port),
      ids,
      ask,
      answered: () => requestsOf(server.stderr().slice(from)),
      forget: () => {
        from = server.stderr().length;
      },
      state: () => {
        const { tables, serving, blobs } = dumpStore(dirname(store));
        // A server renews the last two by itself.
        const { serve_access: _access, leads: _leads, fleet_members: _members, ...kept } = serving ?? {};
        return { tables, kept, blobs, files: filesBelow(directory) };
      },
      kit: world.kit,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}
