import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { projectRoot } from '../../support/kit-process.js';
import { lastOf, makeWorld, type World } from '../world.js';
import { openOddServer } from './odd-server.js';

/**
 * Every command that speaks to a server, at one that knows who asks and then does not do as it
 * should. The commands are those of the program: each whose help lists --server.
 */
interface Shown {
  readonly args?: Readonly<Record<string, { readonly required?: boolean }>>;
  readonly flags: Readonly<Record<string, { readonly hidden?: boolean; readonly helpGroup?: string }>>;
}

const commands = (): readonly (readonly [string, Shown])[] =>
  readdirSync(join(projectRoot, 'plugins')).flatMap((plugin) => {
    const path = join(projectRoot, 'plugins', plugin, 'oclif.manifest.json');
    const reported = JSON.parse(readFileSync(path, 'utf8')) as { readonly commands: Readonly<Record<string, Shown>> };
    return Object.entries(reported.commands);
  });

/** What a command needs besides a word for each argument that it requires. */
const MORE: Readonly<Record<string, readonly string[]>> = {
  run: ['plain', '--input', 'x'],
  chat: ['plain'],
  stop: ['4f2a'],
  resume: ['4f2a'],
  retry: ['4f2a'],
  'review:changes': ['-m', 'more'],
  'review:reject': ['-m', 'no'],
  'review:resolve': ['--approve', '--as', 'qa-1'],
  'review:answer': ['yes'],
  'memory:resolve': ['--accept'],
  report: ['-o', 'page.html'],
  top: ['--once'],
  open: ['4f2a', '--no-browser'],
};
/** An inbox is for a terminal: without one it is refused before anybody is asked. */
const NO_TERMINAL = 'review';

const REMOTE = commands()
  .filter(
    ([id, { flags }]) => flags.server?.helpGroup === 'GLOBAL' && flags.server.hidden !== true && id !== NO_TERMINAL,
  )
  .map(([id, { args = {} }]) => {
    const words = Object.values(args).flatMap(({ required }) => (required === true ? ['4f2a'] : []));
    return [id.replaceAll(':', ' '), [...id.split(':'), ...words, ...(MORE[id] ?? [])]] as const;
  });

/** Parts of `review` that are not a remote command, as the same line of the page says. */
const NOT_THERE = new Set(['simulate', 'key', 'export']);

interface Odd {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

const problem = (status: number, code: string, detail: string, headers: Record<string, string> = {}): Odd => ({
  status,
  headers: { 'content-type': 'application/problem+json', 'kit-version': '9.9.9', ...headers },
  body: JSON.stringify({ status, code, detail, hint: 'what the server says' }),
});
const page = (status: number): Odd => ({
  status,
  headers: { 'content-type': 'text/html' },
  body: '<html>sign in</html>',
});
const json = (body: string): Odd => ({ status: 200, headers: { 'content-type': 'application/json' }, body });

/** Null: the line breaks. */
const ANSWERS: readonly (readonly [string, Odd | null, string, RegExp])[] = [
  ['nothing: it is gone', null, 'KIT_SERVER_UNREACHABLE', /\/health/],
  ['401', problem(401, 'unauthenticated', 'no such key'), 'KIT_UNAUTHENTICATED', /kit auth login/],
  ['403', problem(403, 'scope-missing', 'not that'), 'KIT_SCOPE_MISSING', /higher tier/],
  ['429', problem(429, 'capacity', 'full', { 'retry-after': '7' }), 'KIT_CAPACITY', /after 7 s/],
  ['503', problem(503, 'not-ready', 'it starts'), 'KIT_NOT_READY', /what the server says/],
  ['404 of another version', problem(404, 'route-unknown', 'no route'), 'KIT_SERVER_ANSWER', /one version/],
  ['a page', page(200), 'KIT_SERVER_ANSWER', /kit server|address/],
  ['a page with 502', page(502), 'KIT_SERVER_UNREACHABLE', /moment/],
  ['JSON of something else', json('{"a":1}'), 'KIT_SERVER_ANSWER', /kit server/],
];

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

/** Each command meets some of them in a usual run, and all with KIT_TEST_ANSWERS=all. */
const isAll = process.env.KIT_TEST_ANSWERS === 'all';
const CASES = REMOTE.flatMap(([name, argv], at) =>
  ANSWERS.filter((_, index) => isAll || (index - at) % 3 === 0).map(
    ([answer, ...rest]) => [name, answer, argv, ...rest] as const,
  ),
);

describe('a server that answers who asks, and then', () => {
  it.each(CASES)('kit %s meets %s: says what to do, and exits 2', async (_name, _answer, argv, odd, code, hint) => {
    const server = await openOddServer((request, response) => {
      if (request.url === '/whoami')
        response
          .writeHead(200, { 'content-type': 'application/json', 'kit-version': '9.9.9' })
          .end(JSON.stringify({ client_id: 'qa-1', workspace: 'gated', scopes: [], roles: [] }));
      else if (odd === null) request.socket.destroy();
      else response.writeHead(odd.status, odd.headers).end(odd.body);
    });
    onTestFinished(() => server.close());
    const env = { KIT_SERVER: server.url, KIT_TOKEN: 'the-long-key-of-qa-1' };

    const reported = await world.here([...argv, '--json'], {
      cwd: world.base,
      env,
      stdin: argv[0] === 'chat' ? 'hi\n' : '',
    });

    const error = lastOf(reported);
    expect(error).toMatchObject({ type: 'error', code, exit: 2 });
    expect(String(error.hint)).toMatch(hint);
    expect(reported.code).toBe(2);
    expect(reported.stdout + reported.stderr).not.toContain('the-long-key-of-qa-1');
    expect(server.asked.length).toBeGreaterThan(1);
  });
});

it('the commands are those that docs/remote.md lists', () => {
  const [, listed = ''] =
    /^## What goes\n+([\s\S]*?)\n\n/m.exec(readFileSync(join(projectRoot, 'docs/remote.md'), 'utf8')) ?? [];

  const topics = new Set(REMOTE.map(([name]) => name.split(' ')[0]));

  expect(
    [...listed.matchAll(/`([a-z]+)`/g)].flatMap(([, name]) => (NOT_THERE.has(name ?? '') ? [] : [name])).sort(),
  ).toEqual([...topics].sort());
});
