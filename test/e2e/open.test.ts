import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openServed, type Served } from './remote/served.js';
import { gated } from './review/gated-workspace.js';
import { lastOf } from './world.js';

let served: Served;
let waiting: string;
/** The directory of a program that notes which address it was given in place of showing it. */
let bin: string;

beforeAll(async () => {
  served = await openServed();
  const run = ['run', 'release', '--input', 'write it', '--as', 'dana', '--json'];
  waiting = String(lastOf(await served.local(run)).id);
  bin = join(served.world.base, 'bin');
  mkdirSync(bin);
  for (const name of ['xdg-open', 'open'])
    writeFileSync(join(bin, name), '#!/bin/sh\nprintf %s "$1" > "$0.part"\nmv "$0.part" "${0%/*}/shown"\n', {
      mode: 0o755,
    });
});
afterAll(() => served.close());

const NOTHING_THERE = 'nothing answers at http://127.0.0.1:1: start the server with `kit serve`\n';

/** In a workspace whose server is said to be at a port where nobody listens. */
function here(name: string, argv: readonly string[], settings = 'server: { port: 1 }\n', path = '') {
  const cwd = served.world.files(name, gated({ workspace: settings }));
  return served.world.kit(argv, { cwd, env: { PATH: path === '' ? '/nonexistent' : path, KIT_IDENTITY: 'qa-1' } });
}

describe('kit open', () => {
  it.each([
    ['nothing in particular', [], () => '/console/'],
    ['a run by the beginning of its id', ['RUN'], () => `/jobs/${waiting}`],
    ['a gate', ['GATE'], () => `/gates/${waiting}:writer`],
  ])('at a server, of %s, prints the page', async (_, words, path) => {
    const typed = words.map((word) => (word === 'RUN' ? waiting.slice(0, 6) : `${waiting}:writer`));
    const { code, stdout, stderr } = await served.remote(['open', ...typed, '--no-browser']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${served.url}${path()}\n` });
    expect(stderr).not.toContain('nothing answers');
  });

  it('of an item prints its page, and --json has it as data', async () => {
    const { items } = lastOf(await served.remote(['review', 'list', '--json'])) as { items: { id: string }[] };
    const item = items[0]?.id ?? '';
    expect(lastOf(await served.remote(['open', item, '--no-browser', '--json']))).toEqual({
      type: 'result',
      url: `${served.url}/review/${item}`,
      opened: false,
      kind: 'item',
      id: item,
    });
  });

  it('leads a browser to the page: the address answers with the console', async () => {
    const { stdout } = await served.remote(['open', waiting, '--no-browser']);
    const answer = await fetch(stdout.trim(), { headers: { accept: 'text/html' }, redirect: 'manual' });
    expect(answer.headers.get('location')).toContain('/console/');
  });

  it('says what is not there, and what the beginning of two is', async () => {
    expect(await served.remote(['open', 'nope', '--no-browser'])).toMatchObject({ code: 2, stdout: '' });
    expect(await here('empty', ['open', 'ffff'])).toMatchObject({ code: 2, stdout: '' });
  });

  it('opens the browser of the desktop with the address as its one word', async () => {
    const { code } = await served.world.kit(['open'], {
      cwd: served.dir,
      env: { PATH: `${bin}:/usr/bin:/bin`, KIT_SERVER: served.url, KIT_TOKEN: 'the-long-key-of-qa-1' },
    });
    expect(code).toBe(0);
    await expect.poll(() => existsSync(join(bin, 'shown'))).toBe(true);
    expect(readFileSync(join(bin, 'shown'), 'utf8')).toBe(`${served.url}/console/`);
  });

  it('without a browser prints the address and says so', async () => {
    const env = { PATH: '/nonexistent', KIT_SERVER: served.url, KIT_TOKEN: 'the-long-key-of-qa-1' };
    expect(await served.world.kit(['open'], { cwd: served.dir, env })).toMatchObject({
      code: 0,
      stdout: `${served.url}/console/\n`,
      stderr: expect.stringMatching(/no browser could be opened: open this address\n$/),
    });
  });

  it.each([
    ['kit open', ['open']],
    ['kit status --web', ['status', '--web']],
  ])('%s opens nothing where nobody answers, gives the address and says what to start', async (_, argv) => {
    const settings = 'server: { public_url: "http://127.0.0.1:1/" }\n';
    const path = `${bin}:/usr/bin:/bin`;
    const { code, stdout, stderr } = await here(`alone-${argv[0]}`, argv, settings, path);
    expect({ code, stderr }).toEqual({ code: 0, stderr: NOTHING_THERE });
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:1\/console\//);
    const data = await here(`data-${argv[0]}`, [...argv, '--json'], settings, path);
    expect(lastOf(data)).toMatchObject({ url: stdout.trim(), opened: false });
  });

  it('knows no address where the port is any free one', async () => {
    const { code, stderr } = await here('free', ['open'], 'server: { port: 0 }\n');
    expect(code).toBe(2);
    expect(stderr).toContain('server.port is 0');
    expect(stderr).toContain('--server URL');
  });
});

describe('--web', () => {
  it.each([
    ['why', 'RUN', () => `/jobs/${waiting}`],
    ['status', '', () => '/console/runs'],
    ['status', 'RUN', () => `/jobs/${waiting}`],
  ])('of kit %s %s prints the page in place of the text', async (command, run, path) => {
    const argv = [command, ...(run === '' ? [] : [waiting.slice(0, 5)]), '--web'];
    const { code, stdout } = await served.world.kit(argv, {
      cwd: served.dir,
      env: { PATH: '/nonexistent', KIT_SERVER: served.url, KIT_TOKEN: 'the-long-key-of-qa-1' },
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${served.url}${path()}\n` });
  });

  it('of kit review show prints the page of the item', async () => {
    const env = { PATH: '/nonexistent', KIT_SERVER: served.url, KIT_TOKEN: 'the-long-key-of-qa-1' };
    const { code, stdout } = await served.world.kit(['review', 'show', waiting, '--web'], {
      cwd: served.world.base,
      env,
    });
    expect(code).toBe(0);
    expect(stdout).toMatch(new RegExp(`^${served.url}/review/[^/\\s]+\n$`));
  });

  it.each([
    ['status', '--watch'],
    ['status', '--status=failed'],
    ['why', '--explain'],
    ['review show RUN', '--full'],
  ])('of kit %s refuses %s, which would say nothing', async (command, flag) => {
    const argv = command.split(' ').map((word) => (word === 'RUN' ? waiting : word));
    const { code, stderr } = await served.local([...argv, '--web', flag]);
    expect(code).toBe(2);
    expect(stderr).toContain('--web');
  });
});

describe('kit review approve --input', () => {
  it('of a role task is refused, and nothing is decided', async () => {
    const file = join(served.world.base, 'input.json');
    writeFileSync(file, '{}');
    const { code, stderr } = await served.local(['review', 'approve', waiting, '--input', file]);
    expect(code).not.toBe(0);
    expect(stderr).toContain('cannot be approved with another input');
    expect(lastOf(await served.local(['status', waiting, '--json']))).toMatchObject({ runs: [{ status: 'deferred' }] });
    expect((await served.local(['review', 'list', '--mine'])).stdout).toContain(waiting);
  });
});
