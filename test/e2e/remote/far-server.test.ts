import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { kitInTerminal } from '../../support/components/pseudo-terminal.js';
import { lastOf } from '../world.js';
import { passOn } from './odd-server.js';
import { KEYS, openServed, type Served } from './served.js';

/**
 * A server far away answers a command within a known number of ways there and back. The first is
 * always who one is there, which stands in the first line.
 */
let served: Served;
const known: Record<string, string> = {};

beforeAll(async () => {
  served = await openServed();
  known.DONE = String(lastOf(await served.local(['run', 'plain', '--input', 'hello', '--json'])).id);
  const release = ['run', 'release', '--input', 'write it', '--as', 'dana', '--json'];
  for (const name of ['WAITING', 'DECIDED', 'LEFT']) known[name] = String(lastOf(await served.local(release)).id);
});
afterAll(() => served.close());

/** In this order: later ones act on what earlier ones look at. */
const TABLE: readonly (readonly [line: string, rounds: number])[] = [
  ['status', 2],
  ['status -n 40', 2],
  ['status WAITING', 2],
  ['status --status deferred --since 1h', 2],
  ['why', 3],
  ['why WAITING', 2],
  ['why nope', 2],
  ['logs', 3],
  // Of four runs: the events of one are shown before those of the next are asked for.
  ['logs --last 40', 6],
  ['logs --run-id WAITING', 3],
  ['logs --follow --run-id DONE', 5],
  ['trace', 3],
  ['trace WAITING', 2],
  ['report DONE -o -', 2],
  ['wait DONE', 2],
  ['wait WAITING', 2],
  ['review list', 2],
  ['review list --mine', 2],
  ['review show WAITING', 2],
  ['review gate WAITING:writer', 2],
  ['gaps', 2],
  ['usage --by day', 2],
  ['artifacts list', 2],
  ['artifacts get WAITING/WAITING/writer', 2],
  ['diff', 3],
  ['diff DONE', 2],
  ['memory list', 2],
  ['memory get a b', 2],
  ['memory quarantine', 2],
  ['providers list', 2],
  ['providers show mock', 2],
  ['triggers list', 2],
  ['conversations', 2],
  ['top --once', 2],
  ['open --no-browser', 2],
  ['open WAITING --no-browser', 3],
  ['run plain --input x', 4],
  ['run release --input x', 5],
  // Each of two runs: who it is, its events, its end; of the one that waits, who can decide.
  ['triggers fire nightly --input x', 10],
  ['review approve DECIDED', 4],
  ['stop LEFT', 3],
  // It waits again: who can decide.
  ['resume LEFT', 5],
  ['stop DONE', 3],
  ['retry DONE', 2],
  // One for the list, and two a run.
  ['stop --status deferred --topology release --yes', 12],
];

it.each(TABLE)('kit %s takes %i ways there and back at most', async (line, most) => {
  const far = await passOn(served.url, 50);
  onTestFinished(() => far.close());
  const argv = line.split(' ').map((word) => word.replaceAll(/[A-Z]{4,}/g, (name) => known[name] ?? name));

  await served.remote(argv, { url: far.url });

  expect(far.asked.map(({ path }) => path)[0]).toBe('/whoami');
  expect(far.rounds(), far.asked.map(({ path }) => path).join('\n')).toBeLessThanOrEqual(most);
});

it('the first screen of kit review takes 3', async () => {
  await served.remote(['run', 'release', '--input', 'once more']);
  const far = await passOn(served.url, 50);
  onTestFinished(() => far.close());
  const env = { ...served.world.env, KIT_SERVER: far.url, KIT_TOKEN: KEYS.QA_KEY };
  const inbox = kitInTerminal(['review'], { cwd: served.world.base, env });
  onTestFinished(() => inbox.dispose());

  await inbox.sees(/release/);

  expect(far.rounds(), far.asked.map(({ path }) => path).join('\n')).toBeLessThanOrEqual(3);
});

it('says that a KIT_TOKEN which is refused wins over a login', async () => {
  const refused = await served.remote(['status'], { key: 'the-long-key-of-nobody' });
  expect(refused.stderr).toContain('hint: KIT_TOKEN is set and wins over a login: set it to another key, or unset it');
  const without = await served.remote(['status'], { key: null });
  expect(without.stderr).toMatch(/hint: Sign in with `kit auth login http:\S+`, or set KIT_TOKEN\.\n/);

  const login = await served.world.here(['auth', 'login', served.url], {
    env: { KIT_TOKEN: 'the-long-key-of-nobody' },
    stdin: KEYS.QA_KEY,
  });
  expect(login.stderr).toContain('! KIT_TOKEN is set, and wins over this login: unset it\n');
  expect(login.stdout).toContain('as qa-1');
  const none = await served.world.here(['auth', 'login', served.url], { stdin: '' });
  expect(none.stderr).toContain(`on stdin: kit auth login ${served.url} < key.txt`);
});
