import { mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { lastOf } from '../world.js';
import { type OddServer, openOddServer } from './odd-server.js';
import { KEYS, openServed, type Served } from './served.js';

let served: Served;
beforeAll(async () => {
  served = await openServed();
});
afterAll(() => served.close());

const odd = async (...of: Parameters<typeof openOddServer>): Promise<OddServer> => {
  const server = await openOddServer(...of);
  onTestFinished(() => server.close());
  return server;
};

const problem = (status: number, code: string, detail: string, headers: Record<string, string> = {}) => ({
  status,
  headers: { 'content-type': 'application/problem+json', 'kit-version': '9.9.9', ...headers },
  body: JSON.stringify({ status, code, detail, hint: 'what the server says' }),
});
const page = (status: number) => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<html>sign in</html>',
});

const ANSWERS = [
  ['401', problem(401, 'unauthenticated', 'no such key'), 'KIT_UNAUTHENTICATED', /kit auth login/],
  ['403', problem(403, 'scope-missing', 'rita lacks the scope serve:run'), 'KIT_SCOPE_MISSING', /higher tier/],
  ['429', problem(429, 'capacity', 'every slot is taken', { 'retry-after': '7' }), 'KIT_CAPACITY', /after 7 s/],
  ['503', problem(503, 'not-ready', 'the server starts'), 'KIT_NOT_READY', /what the server says/],
  ['another version', problem(404, 'route-unknown', 'no route'), 'KIT_SERVER_ANSWER', /one version/],
  [
    'a query that it does not know',
    problem(422, 'request-invalid', 'by: no query'),
    'KIT_REQUEST_INVALID',
    /one version/,
  ],
  ['a code of a later version', problem(422, 'new-trouble', 'odd'), 'KIT_SERVER_ANSWER', /kit server/],
  ['a page', page(200), 'KIT_SERVER_ANSWER', /no kit server|address/],
  ['a page with 401', page(401), 'KIT_UNAUTHENTICATED', /kit auth login/],
  ['a page with 403', page(403), 'KIT_SCOPE_MISSING', /proxy/],
  ['a page with 429', page(429), 'KIT_CAPACITY', /later/],
  ['a page with 502', page(502), 'KIT_SERVER_UNREACHABLE', /moment/],
  [
    'JSON of something else',
    { status: 200, headers: { 'content-type': 'application/json' }, body: '{"a":1}' },
    'KIT_SERVER_ANSWER',
    /kit server/,
  ],
] as const;

describe('a server that is none, or refuses', () => {
  it.each(ANSWERS)('%s: says what to do, exits 2, and tells no key', async (_name, answer, code, hint) => {
    const server = await odd((_request, response) => {
      response.writeHead(answer.status, answer.headers).end(answer.body);
    });
    for (const argv of [['status'], ['review', 'list'], ['run', 'plain', '--input', 'x']]) {
      const text = await served.remote(argv, { url: server.url });
      const json = await served.remote([...argv, '--json'], { url: server.url });

      expect(text.code).toBe(2);
      expect(text.stderr).toMatch(hint);
      expect(text.stderr).toContain(`error[${code}]`);
      expect(lastOf(json)).toMatchObject({ type: 'error', code, exit: 2 });
      expect(text.stdout + text.stderr + json.stdout).not.toContain(KEYS.QA_KEY);
    }
  });

  it('nobody listens there: says so', async () => {
    const gone = await served.remote(['status', '--json'], { url: 'http://127.0.0.1:9' });

    expect(gone.code).toBe(2);
    expect(lastOf(gone)).toMatchObject({
      code: 'KIT_SERVER_UNREACHABLE',
      message: expect.stringContaining('127.0.0.1:9'),
    });
  });

  it('a redirect is not followed, and no key goes along', async () => {
    const other = await odd((_request, response) => void response.end('{}'));
    const server = await odd((_request, response) => {
      response.writeHead(302, { location: `${other.url}/whoami` }).end();
    });

    const moved = await served.remote(['status', '--json'], { url: server.url });

    expect(lastOf(moved)).toMatchObject({ code: 'KIT_SERVER_ANSWER', hint: expect.stringContaining('--server') });
    expect(other.asked).toEqual([]);
  });

  it('a key goes to no other machine over plain http, and an address with a secret is refused unsaid', async () => {
    const plain = await served.remote(['status', '--json'], { url: 'http://kit.example' });
    const secret = await served.remote(['status', '--json'], { url: 'https://dana:hidden-word@kit.example' });

    expect(lastOf(plain)).toMatchObject({ code: 'KIT_SERVER_INSECURE', exit: 2 });
    expect(lastOf(secret)).toMatchObject({ code: 'KIT_USAGE' });
    expect(secret.stdout).not.toContain('hidden-word');
  });

  it('a caller who may only read is refused a run as the server refuses it', async () => {
    const refused = await served.remote(['run', 'plain', '--input', 'x', '--json'], { key: KEYS.RITA_KEY });

    expect(refused.code).toBe(2);
    expect(lastOf(refused)).toMatchObject({ code: 'KIT_SCOPE_MISSING', message: 'rita lacks the scope serve:run' });
  });
});

describe('kit auth', () => {
  const signIn = (argv: readonly string[], stdin: string) =>
    served.world.here(['auth', ...argv], { cwd: served.world.base, stdin });

  it('keeps a key that holds for this origin alone, mode 600, and forgets it', async () => {
    const bad = await signIn(['login', served.url, '--json'], 'not-the-key-of-anybody\n');
    const good = await signIn(['login', served.url], `${KEYS.QA_KEY}\n`);
    const file = join(served.world.env.XDG_CONFIG_HOME ?? '', 'kit', 'servers.json');
    const used = await served.remote(['status', '--json'], { key: null });
    const other = await served.remote(['status', '--json'], {
      key: null,
      url: served.url.replace('127.0.0.1', 'localhost'),
    });
    const status = await signIn(['status', '--json'], '');

    expect(lastOf(bad)).toMatchObject({
      code: 'KIT_UNAUTHENTICATED',
      hint: expect.stringMatching(/^Nothing was kept. Paste/),
    });
    expect(good).toMatchObject({ code: 0, stdout: expect.stringContaining('as qa-1') });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(used.code).toBe(0);
    expect(lastOf(other)).toMatchObject({ code: 'KIT_UNAUTHENTICATED' });
    expect(lastOf(status)).toMatchObject({ servers: [{ server: served.url, identity: 'qa-1' }], kit_token: false });
    const said = [bad, good, used, other, status].map(({ stdout, stderr }) => stdout + stderr).join('');
    expect(said).not.toContain(KEYS.QA_KEY);
    expect(said).not.toContain('not-the-key-of-anybody');

    const out = await signIn(['logout', served.url, '--json'], '');
    expect(lastOf(out)).toMatchObject({ forgotten: true });
    expect(lastOf(await served.remote(['status', '--json'], { key: null }))).toMatchObject({
      code: 'KIT_UNAUTHENTICATED',
    });
  });

  it('refuses a file of keys that others can read', async () => {
    const config = served.world.files('loose/kit', { 'servers.json': '{}' });
    mkdirSync(config, { recursive: true });
    writeFileSync(join(config, 'servers.json'), '{}', { mode: 0o644 });

    const refused = await served.world.here(['auth', 'status', '--json'], {
      env: { XDG_CONFIG_HOME: join(config, '..') },
    });

    expect(lastOf(refused)).toMatchObject({ code: 'KIT_USAGE', hint: expect.stringContaining('chmod 600') });
  });
});
