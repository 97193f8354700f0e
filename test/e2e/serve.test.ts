import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type ServeProcess, startServe } from '../support/http/serve-process.js';
import { type KitHome, makeHome, runKitHere } from '../support/kit-process.js';
import { localProvider, talk, type WorkspaceText } from './workspaces.js';

let home: KitHome;
beforeAll(async () => {
  home = await makeHome();
});
afterAll(() => home.remove());

async function workspaceOf(text: WorkspaceText = {}): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'kit-serve-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(talk(text))) {
    await mkdir(dirname(join(dir, path)), { recursive: true });
    await writeFile(join(dir, path), content);
  }
  return dir;
}

async function serve(argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<ServeProcess> {
  const server = await startServe(argv, { ...home.env, ...env });
  onTestFinished(async () => {
    server.kill('SIGKILL');
    await server.ended;
  });
  return server;
}

const refused = async (argv: readonly string[], env: NodeJS.ProcessEnv = {}) => {
  const result = await runKitHere(['serve', ...argv, '--json'], { env: { ...home.env, ...env } });
  return { exit: result.code, ...result.lines().at(-1) };
};

const KEYS =
  'server: { auth: { provider: api_key, config: { keys: [{ key_ref: "env:OPS_KEY", client_id: ops, tier: admin }] } } }';
const OPS_KEY = 'a-key-that-is-long-enough';

const WAIT = { timeout: 60_000, interval: 100 };
const LOCAL = { LOCAL_KEY: 'key-of-the-model-server' };

/** A workspace whose model is a server that never answers. */
const hangingWorkspace = (workspace: string): Promise<string> =>
  workspaceOf({ workspace, provider: 'local', files: { 'providers/local.yaml': localProvider } });

/** Takes connections and says nothing. */
async function silentServer(): Promise<string> {
  const sockets = new Set<Socket>();
  const silent = createServer((socket) => void sockets.add(socket.on('error', () => {})));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => silent.close(resolve));
  });
  return `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
}

async function submit({ url }: ServeProcess): Promise<string> {
  const body = JSON.stringify({ input: 'hello' });
  const response = await fetch(`${url}/run/talk`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  return ((await response.json()) as { readonly id: string }).id;
}

const statusOf = async ({ url }: ServeProcess, id: string): Promise<string> =>
  ((await (await fetch(`${url}/jobs/${id}`)).json()) as { readonly status: string }).status;

describe('kit serve', () => {
  it('says what it stands on, answers, and ends with 0 on SIGTERM', async () => {
    const server = await serve([await workspaceOf()]);
    expect(server.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    expect(server.url).not.toMatch(/:0$/);
    await expect.poll(() => server.stderr()).toContain('max_concurrent: 5');
    expect(server.stderr()).toContain('auth: none');
    expect(server.stderr()).toMatch(/storage: sqlite \(.*store\.sqlite\)/);
    const health = await fetch(`${server.url}/health`);
    expect(await health.json()).toMatchObject({ status: 'ok', workspace: 'talk' });
    const id = await submit(server);
    await vi.waitFor(async () => expect(await statusOf(server, id)).toBe('completed'), WAIT);
    server.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(server.stderr()).toMatch(/info request \{"method":"POST","route":"\/run\/:topology","status":200,/);
    await expect(fetch(`${server.url}/health`)).rejects.toThrow();
  });

  it('writes JSON Lines for programs: the address first, the reason of the end last', async () => {
    const server = await serve(
      [await workspaceOf({ workspace: KEYS }), '--json', '--cors-origin', 'https://app.example'],
      { OPS_KEY },
    );
    const [first] = server.stdout().split('\n');
    expect(JSON.parse(first ?? '')).toMatchObject({
      type: 'listening',
      url: server.url,
      auth: 'api_key',
      max_concurrent: 5,
    });
    expect((await fetch(`${server.url}/metrics`)).status).toBe(401);
    const allowed = await fetch(`${server.url}/metrics`, {
      headers: { authorization: `Bearer ${OPS_KEY}`, origin: 'https://app.example' },
    });
    expect(allowed.status).toBe(200);
    expect(allowed.headers.get('access-control-allow-origin')).toBe('https://app.example');
    server.kill('SIGINT');
    expect(await server.ended).toBe(0);
    const lines = server.stdout().trim().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({ type: 'result', stopped_by: 'SIGINT' });
    expect(server.stdout() + server.stderr()).not.toContain(OPS_KEY);
  });

  it('ends open streams and leaves a run that is not done for the next start, within its grace', async () => {
    const dir = await hangingWorkspace('server: { jobs: { shutdown_seconds: 1 } }');
    const server = await serve([dir], { ...LOCAL, MODEL_URL: await silentServer() });
    const id = await submit(server);
    const stream = await fetch(`${server.url}/jobs/${id}/stream`);
    const text = stream.text().catch(() => 'cut');
    await vi.waitFor(async () => expect(await statusOf(server, id)).toBe('running'), WAIT);
    server.kill('SIGTERM');
    expect(await server.ended).toBe(0);
    expect(await text).not.toBe('cut');
    const next = await serve([dir], { ...LOCAL, MODEL_URL: await silentServer() });
    await vi.waitFor(async () => expect(await statusOf(next, id)).toBe('running'), WAIT);
  });

  it('ends at once with 130 on a second signal', async () => {
    const server = await serve([await hangingWorkspace('server: { jobs: { shutdown_seconds: 600 } }')], {
      ...LOCAL,
      MODEL_URL: await silentServer(),
    });
    const id = await submit(server);
    await vi.waitFor(async () => expect(await statusOf(server, id)).toBe('running'), WAIT);
    server.kill('SIGINT');
    await vi.waitFor(() => expect(server.stderr()).toContain('a second signal ends the server at once'), WAIT);
    server.kill('SIGTERM');
    expect(await server.ended).toBe(130);
  });
});

describe('a start that is refused', () => {
  it('names a port that somebody has, and runs nothing', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void taken.close());
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? String(address.port) : '';
    expect(await refused([await workspaceOf(), '--port', port])).toMatchObject({ exit: 2, code: 'KIT_ADDRESS_IN_USE' });
  });

  it.each([
    [['--port', 'http'], 'KIT_USAGE', '--port takes a whole number'],
    [['--port', '65536'], 'KIT_USAGE', '--port takes a whole number'],
    [['--role', 'worker'], 'KIT_USAGE', '--role takes no "worker"'],
    [['--role', 'api'], 'KIT_SERVE_REFUSED', 'storage.runtime'],
    [['--profile', 'prod'], 'KIT_USAGE', '--profile takes no "prod"'],
    [['--role', 'api', '--max-queue-depth', '-1'], 'KIT_USAGE', '--max-queue-depth takes a whole number'],
    [['--role', 'api', '--max-queue-depth', 'many'], 'KIT_USAGE', '--max-queue-depth takes a whole number'],
    [['--max-queue-depth', '50'], 'KIT_USAGE', 'without --role api'],
    [['--cors-origin', 'https://app.example/'], 'KIT_USAGE', 'not an origin that a browser sends'],
    [['--host', '0.0.0.0'], 'KIT_SERVE_REFUSED', 'it has no authentication'],
  ] as const)('is a sentence and exit 2: %j', async (argv, code, message) => {
    expect(await refused([await workspaceOf(), ...argv])).toMatchObject({
      exit: 2,
      code,
      message: expect.stringContaining(message),
    });
  });

  it('of the production profile lists every gap at once', async () => {
    const result = await refused([await workspaceOf(), '--profile', 'production', '--insecure', '--cors-origin', '*']);
    expect(result).toMatchObject({ exit: 2, code: 'KIT_SERVE_REFUSED' });
    for (const gap of ['provider is none', '--insecure is given', 'KIT_OAUTH_KEY is not set', '--cors-origin *'])
      expect((result as { message?: string }).message).toContain(gap);
  });

  it('of authentication that cannot work names what is missing', async () => {
    expect(await refused([await workspaceOf({ workspace: KEYS })])).toMatchObject({
      exit: 2,
      code: 'KIT_AUTH_INVALID',
    });
  });

  it.each([
    ['pipeline', 'removed in 1.189'],
    ['orchestrator', 'kit serve'],
  ])('of kit %s says what took its place', async (word, hint) => {
    const result = await runKitHere([word, 'x', '--json'], { env: home.env });
    expect(result.code).toBe(2);
    expect(result.lines().at(-1)).toMatchObject({ code: 'KIT_USAGE', hint: expect.stringContaining(hint) });
  });
});
