import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lastOf } from '../world.js';
import { compared, withoutName } from './compared.js';
import { KEYS, openServed, type Served } from './served.js';

let served: Served;
/** A run that waits for people, and one that is done. */
let waiting: string;
let done: string;

beforeAll(async () => {
  served = await openServed();
  // An attempt that nobody takes belongs to no run, and stands in the log.
  await fetch(`${served.url}/events/signal`, {
    method: 'POST',
    headers: { authorization: `Bearer ${KEYS.QA_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ correlation_id: 'order-7', event: 'paid' }),
  });
  done = String(lastOf(await served.local(['run', 'plain', '--input', 'hello', '--json'])).id);
  const run = ['run', 'release', '--input', 'write it', '--as', 'dana', '--json'];
  waiting = String(lastOf(await served.local(run)).id);
});
afterAll(() => served.close());

const TABLE: readonly (readonly string[])[] = [
  ['status'],
  ['status', '-n', '1'],
  ['status', '--status', 'completed'],
  ['status', '--label', 'a=b'],
  ['status', 'WAITING'],
  ['status', '--since', '1h', '--topology', 'release'],
  ['why'],
  ['why', 'WAITING'],
  ['why', 'DONE'],
  ['why', 'nope'],
  ['logs'],
  ['logs', '--last', '2'],
  ['logs', '--run-id', 'WAITING', '--agent', 'writer'],
  ['logs', '--follow', '--run-id', 'DONE'],
  ['logs', '--agent', 'nobody'],
  ['logs', '--topology', 'nope'],
  ['logs', '--type', 'nope'],
  ['logs', '--format', 'markdown'],
  ['logs', '--loose'],
  ['logs', '--loose', '--type', 'pipeline', '--last', '1'],
  ['logs', '--loose', '--topology', 'plain'],
  ['logs', '--loose', '--topology', 'plain@1.0.0'],
  ['logs', '--loose', '--type', 'nope'],
  ['trace'],
  ['trace', 'WAITING'],
  ['trace', '--limit', '2'],
  ['trace', 'ffff'],
  ['report', 'DONE', '-o', '-'],
  ['review', 'list'],
  ['review', 'list', '--mine'],
  ['review', 'list', '--all', '-n', '1'],
  ['review', 'list', '--kind', 'input'],
  ['review', 'list', '--gate', 'nope'],
  ['review', 'list', '--queue', 'nope'],
  ['review', 'show', 'WAITING'],
  ['review', 'show', 'WAITING', '--full'],
  ['review', 'show', 'nope'],
  ['review', 'gate', 'WAITING:writer'],
  ['review', 'gate', 'WAITING:writer', '--author', 'ops-1'],
  ['review', 'gate', 'nope'],
  ['review', 'approve', 'nope'],
  ['review', 'changes', 'WAITING'],
  ['review', 'reject', 'nope', '-m', 'no'],
  ['review', 'answer', 'nope', 'yes'],
  ['review', 'answer', 'WAITING', 'yes'],
  ['review', 'resolve', 'nope', '--approve', '--as', 'qa-1'],
  ['review', 'show', 'mpa-WAITING:writer-0-qa'],
  ['review', 'list', '--mine', '--kind', 'role_task'],
  ['wait', 'DONE'],
  ['wait', 'WAITING'],
  ['wait', 'nope'],
  ['wait', 'WAITING', '--until', 'parked'],
  ['wait', 'DONE', '--until', 'ended'],
  ['wait', 'WAITING', '--until', 'ended', '--timeout', '1'],
  ['wait', '--until', 'nope'],
  ['gaps'],
  ['usage'],
  ['usage', '--by', 'day', '--since', '1h'],
  ['usage', '--by', 'topology', '--topology', 'plain'],
  ['usage', '--topology', 'plain@1.0.0'],
  ['usage', '--since', 'yesterday'],
  ['usage', '--topology', 'nobody'],
  ['artifacts', 'list'],
  ['artifacts', 'list', '--run', 'WAITING'],
  ['artifacts', 'get', 'WAITING/WAITING/writer'],
  ['artifacts', 'get', 'nope'],
  ['diff'],
  ['diff', 'DONE'],
  ['memory', 'list'],
  ['memory', 'get', 'a', 'b'],
  ['memory', 'quarantine'],
  ['memory', 'add', 'billing', 'currency', 'euro'],
  ['memory', 'resolve', 'nope', '--accept'],
  ['providers', 'list'],
  ['providers', 'show', 'mock'],
  ['providers', 'show', 'moc'],
  ['triggers', 'list'],
  ['triggers', 'fire', 'nightl'],
  ['triggers', 'fire', 'off'],
  ['report', 'nope', '-o', 'page.html'],
  ['diff', 'nope'],
  ['conversations'],
  ['stop', 'DONE'],
  ['stop', 'nope'],
  ['stop'],
  ['stop', '--status', 'deferred'],
  ['stop', '--status', 'running', '--yes'],
  ['stop', '--status', 'completed', '--topology', 'plain', '--yes'],
  ['stop', '--topology', 'nope', '--since', '1h', '--yes'],
  ['stop', '--label', 'no-label', '--yes'],
  ['resume', 'nope'],
  ['resume', '--status', 'stopped', '--yes'],
  ['resume', '--topology', 'release', '--correlation', 'nope', '--yes'],
  ['retry', '--status', 'failed', '--yes'],
  ['retry', '--status', 'completed', '--yes'],
  ['retry', 'DONE'],
  ['retry', 'nope'],
  ['run', 'nobody', '--input', 'x'],
];

describe.each([[[]], [['--json']]])('a command at a server with %j', (json) => {
  it.each(TABLE.map((argv) => [argv.join(' '), argv] as const))(
    '%s says what it says in the directory, and exits alike',
    async (_name, argv) => {
      const words = argv.map((word) => word.replaceAll('WAITING', waiting).replaceAll('DONE', done));

      const [there, here] = [await served.remote([...words, ...json]), await served.local([...words, ...json])];

      const { stdout, stderr, ...same } = compared(here);
      expect(compared(there)).toEqual({ ...same, stdout: withoutName(stdout), stderr: withoutName(stderr) });
      if (json.length === 0 && there.code === 0)
        expect(there.stderr).toMatch(/^server http:\/\/\S+, workspace gated, as qa-1\n/);
    },
  );
});

it('what belongs to no run is there to be compared', async () => {
  expect((await served.remote(['logs', '--loose'])).stdout).toMatch(/pipeline\.ingress|order-7/);
});

it('who is signed in decides, and the command that the gate prints works when pasted', async () => {
  const gate = await served.remote(['review', 'gate', `${waiting}:writer`]);
  const [, pasted = ''] = /kit (review resolve \S+:writer-0-qa --server \S+ --approve)/.exec(gate.stdout) ?? [];

  const decided = await served.remote([...pasted.split(' '), '--json']);
  const other = await served.remote([...pasted.split(' '), '--as', 'ops-1', '--json']);

  expect(decided).toMatchObject({ code: 0 });
  expect(lastOf(decided)).toMatchObject({
    item: { status: 'approved', resolved_by: 'qa-1' },
    decision: { identity: 'qa-1', assurance: 'authenticated' },
    run: { status: 'deferred', resumed: 'left' },
  });
  expect(other.code).toBe(2);
  expect(lastOf(other)).toMatchObject({ code: 'KIT_USAGE' });
});

it('tells whoever may decide nothing to sign in as another, and what a run still waits for', async () => {
  const asked = ['run', 'release', '--input', 'write more', '--json'];
  const id = String(lastOf(await served.remote(asked, { key: KEYS.OPS_KEY })).id);

  const nobody = await served.remote(['review', 'approve', id], { key: KEYS.RITA_KEY });
  const decided = await served.remote(['review', 'approve', id]);
  expect(nobody.code).toBe(2);
  expect(nobody.stderr).toMatch(
    /none is rita's to decide: .*\n {2}hint: Sign in as somebody else: kit auth login http/,
  );
  expect((await served.remote(['review'])).stderr).toMatch(/then `kit review approve <run or item>`\.\n$/);
  expect(decided.stdout).toContain(`deferred; it is awaiting review: gate ${id}:writer awaits sign-off by ops`);
});

it('a trigger that is fired at a server starts its runs there, and each is shown to its end', async () => {
  const fired = await served.remote(['triggers', 'fire', 'nightly', '--input', 'at night', '--json']);
  const off = await served.remote(['triggers', 'fire', 'off', '--json']);

  // One of the two waits for people.
  expect(fired.code).toBe(3);
  expect(lastOf(fired)).toMatchObject({
    trigger: 'nightly',
    targets: [
      {
        target: 'plain',
        refused: null,
        job: { status: 'completed', source: 'trigger:nightly', submitted_by: { identity: 'qa-1' } },
      },
      { target: 'release', refused: null, job: { status: 'deferred' } },
    ],
    events_left_out: [],
  });
  expect([off.code, lastOf(off)]).toMatchObject([2, { code: 'KIT_TRIGGER_DISABLED' }]);
});

it('a run that is started at a server is executed there, and followed to its end', async () => {
  const text = await served.remote(['run', 'plain', '--input', 'far away']);
  const parked = await served.remote(['run', 'release', '--input', 'again', '--json']);

  expect(text).toMatchObject({ code: 0, stdout: 'mock answer to: far away\n' });
  expect(text.stderr).toMatch(/completed {2}run [0-9a-f]{12} of plain/);
  expect(parked.code).toBe(3);
  expect(
    parked
      .lines()
      .filter(({ type }) => type === 'event')
      .map(({ seq }) => seq),
  ).toEqual(parked.lines().flatMap(({ type }, at) => (type === 'event' ? [at + 1] : [])));
  expect(lastOf(parked)).toMatchObject({ status: 'deferred', source: 'serve', submitted_by: { identity: 'qa-1' } });

  const stopped = await served.remote(['stop', String(lastOf(parked).id), '--json']);
  const resumed = await served.remote(['run', `--resume=${String(lastOf(parked).id)}`, '--json']);
  expect(lastOf(stopped)).toMatchObject({ job: { id: lastOf(parked).id, status: 'stopped' }, outcome: 'stopped' });
  expect(resumed.code).toBe(3);
});

it('what a server cannot do is refused by name, with what does it', async () => {
  for (const argv of [['debug', done], ['doctor'], ['storage', 'status'], ['apply', done], ['adapters', 'list']]) {
    const refused = await served.remote([...argv, '--json']);

    expect(`${argv[0]} ${refused.code}`).toBe(`${argv[0]} 2`);
    expect(lastOf(refused)).toMatchObject({ code: 'KIT_REMOTE_UNSUPPORTED', hint: expect.stringContaining('kit ') });
  }
  const timed = await served.remote(['run', 'plain', '--input', 'x', '--timeout', '5s', '--json']);
  expect(lastOf(timed)).toMatchObject({
    code: 'KIT_REMOTE_UNSUPPORTED',
    message: expect.stringContaining('--timeout'),
  });
});

it('a directory that is written beats KIT_SERVER, and both on one command line are refused', async () => {
  const here = await served.remote(['status', served.dir, '--json'], { url: 'http://127.0.0.1:9' });
  const both = await served.remote(['status', served.dir, '--server', served.url, '--json']);

  expect(here.code).toBe(0);
  expect(both.code).toBe(2);
  expect(lastOf(both)).toMatchObject({ code: 'KIT_USAGE' });
});
