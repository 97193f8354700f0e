import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createDatabase } from '../../support/components/postgres.js';
import { freePort } from '../../support/fleet/free-port.js';
import { projectRoot } from '../../support/kit-process.js';
import { startModelServer } from '../../support/model-server.js';
import { localProvider, talk } from '../workspaces.js';
import { makeWorld, type World } from '../world.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

const MODES = [
  'plain',
  '--json',
  'stdout closed',
  '--json, nobody reads',
  '--json, stdout closed after its first line',
  'stdin closed',
] as const;
type Mode = (typeof MODES)[number];

const ADDRESS = /listening on (http:\S+)|"type":"listening","url":"([^"]+)"/;

interface Started {
  readonly out: () => string;
  readonly err: () => string;
  readonly send: (signal: NodeJS.Signals) => void;
  readonly sees: (pattern: RegExp) => Promise<RegExpExecArray>;
  /** Exit code, or the signal that ended it. */
  readonly ended: Promise<number | string | null>;
}

/** `kit serve` with its streams as the mode says. */
function start(mode: Mode, argv: readonly string[], env: NodeJS.ProcessEnv = {}): Started {
  const json = mode.includes('--json') ? ['--json'] : [];
  const bin = [join(projectRoot, 'bin', 'kit.js'), 'serve', ...argv, ...json];
  const closed = mode === 'stdin closed' ? '<&-' : mode === 'stdout closed' ? '>&-' : '';
  const child = spawn('sh', ['-c', `exec "$@" ${closed}`, 'sh', process.execPath, ...bin], {
    env: { ...world.env, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const read = { out: '', err: '' };
  const watchers = new Set<() => void>();
  const take = (name: 'out' | 'err') => (text: string) => {
    read[name] += text;
    for (const watch of watchers) watch();
  };
  child.stdout.setEncoding('utf8').on('data', take('out'));
  child.stderr.setEncoding('utf8').on('data', take('err'));
  if (mode.endsWith('nobody reads')) child.stdout.destroy();
  if (mode.endsWith('first line')) child.stdout.once('data', () => child.stdout.destroy());
  const ended = once(child, 'exit').then(([code, signal]) => (code as number | null) ?? (signal as string | null));
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return {
    out: () => read.out,
    err: () => read.err,
    send: (signal) => void child.kill(signal),
    ended,
    sees: (pattern) =>
      new Promise((resolve, reject) => {
        const watch = (): void => {
          const match = pattern.exec(read.out) ?? pattern.exec(read.err);
          if (match !== null) resolve(match);
        };
        watchers.add(watch);
        void ended.then((code) => reject(new Error(`kit serve ended with ${code}: ${read.out}${read.err}`)));
        watch();
      }),
  };
}

const urlOf = async (server: Started): Promise<string> => {
  const [, plain, json] = await server.sees(ADDRESS);
  return plain ?? json ?? '';
};

async function listening(
  mode: Mode,
  argv: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<{ server: Started; url: string }> {
  // Where nobody reads, nobody is told which port it took.
  const port = mode.endsWith('nobody reads') ? await freePort() : 0;
  const server = start(mode, ['--port', String(port), ...argv], env);
  const url = port === 0 ? await urlOf(server) : `http://127.0.0.1:${port}`;
  const health = () => fetch(`${url}/health`).then(({ status }) => status, String);
  await expect.poll(health).toBe(200);
  return { server, url };
}

describe.each(MODES)('kit serve (%s)', (mode) => {
  it('ends with 0 when it is asked to, and not before', async () => {
    const { server, url } = await listening(mode, [world.files(`ends-${mode}`, talk())]);
    // Somebody who reads no more, or writes no more, is no reason to end.
    const answer = await fetch(`${url}/run/talk`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"input":"hi"}',
    });
    const { id } = (await answer.json()) as { readonly id: string };
    await expect
      .poll(async () => ((await (await fetch(`${url}/jobs/${id}`)).json()) as { readonly status: string }).status, {
        timeout: 30_000,
      })
      .toBe('completed');
    server.send('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(server.err()).not.toMatch(/Error|EPIPE|at .*\.js/);
  });

  it('ends with 2 when its address is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1');
    await once(taken, 'listening');
    onTestFinished(() => void taken.close());
    const { port } = taken.address() as AddressInfo;
    const server = start(mode, [world.files(`taken-${mode}`, talk()), '--port', String(port)]);
    expect(await server.ended).toBe(2);
    if (mode === '--json') expect(server.out()).toContain('"code":"KIT_ADDRESS_IN_USE"');
    if (!mode.includes('--json')) expect(server.err()).toContain('KIT_ADDRESS_IN_USE');
  });

  it('ends with 130 when it is interrupted twice', async () => {
    const model = await startModelServer({ do: 'silence' });
    onTestFinished(() => model.close());
    const dir = world.files(
      `twice-${mode}`,
      talk({
        provider: 'local',
        files: { 'providers/local.yaml': localProvider },
        workspace: 'server: { jobs: { shutdown_seconds: 600 } }\n',
      }),
    );
    const { server, url } = await listening(mode, [dir], { MODEL_URL: model.url, LOCAL_KEY: 'key-of-the-test' });
    await fetch(`${url}/run/talk`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"input":"hi"}',
    });
    await expect.poll(() => model.requests.length).toBe(1);
    server.send('SIGINT');
    await expect
      .poll(
        async () =>
          fetch(`${url}/health`).then(
            () => 'open',
            () => 'closed',
          ),
        { timeout: 30_000 },
      )
      .toBe('closed');
    server.send('SIGINT');
    expect(await server.ended).toBe(130);
  });
});

/** A way to a PostgreSQL that lets nobody through before it is opened. */
async function turnstile(url: string) {
  const target = new URL(url);
  const opened = Promise.withResolvers<void>();
  const came = Promise.withResolvers<void>();
  const sockets = new Set<Socket>();
  const entry = createServer((socket) => {
    came.resolve();
    const through = connect(Number(target.port), target.hostname);
    for (const one of [socket, through]) sockets.add(one.on('error', () => {}).on('close', () => sockets.delete(one)));
    void opened.promise.then(() => {
      socket.pipe(through);
      through.pipe(socket);
    });
  }).listen(0, '127.0.0.1');
  await once(entry, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    entry.close();
  });
  const here = new URL(url);
  here.hostname = '127.0.0.1';
  here.port = String((entry.address() as AddressInfo).port);
  return { url: here.href, came: came.promise, open: () => opened.resolve() };
}

describe('kit serve that is asked to end while it starts', () => {
  it('finishes its start, stops in order and ends with 0', async () => {
    const database = await createDatabase();
    onTestFinished(() => database.drop());
    const entry = await turnstile(database.url);
    const server = start('--json', [world.files('early', talk()), '--port', '0'], { KIT_STORE_URL: entry.url });
    await entry.came;
    server.send('SIGTERM');
    entry.open();
    expect(await server.ended).toBe(0);
    expect(JSON.parse(server.out().trim().split('\n').at(-1) ?? '')).toEqual({ type: 'result', stopped_by: 'SIGTERM' });
    await database.deserted();
  });

  it('ends with 130 at the second signal', async () => {
    const database = await createDatabase();
    onTestFinished(() => database.drop());
    const entry = await turnstile(database.url);
    const server = start('plain', [world.files('early-twice', talk()), '--port', '0'], { KIT_STORE_URL: entry.url });
    await entry.came;
    server.send('SIGINT');
    // Two signals that are pending together are one.
    const again = setInterval(() => server.send('SIGINT'), 200);
    expect(await server.ended.finally(() => clearInterval(again))).toBe(130);
  });
});
