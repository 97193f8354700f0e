import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { triggerFile } from '../support/triggers/trigger-world.js';
import { gated } from './review/gated-workspace.js';
import { lastOf, makeWorld, type World } from './world.js';

let world: World;
let dir: string;
const ids: Record<string, string> = {};
beforeAll(async () => {
  world = await makeWorld();
  const nightly = triggerFile('nightly', 'type: manual\ntargets: [release]\n');
  dir = world.files('several', { ...gated(), 'triggers/nightly.yaml': nightly });
  const run = async (topology: string, ...flags: readonly string[]) =>
    String(lastOf(await kit('run', topology, '--input', 'hi', '--as', 'dana', '--json', ...flags)).id);
  ids.core = await run('release', '--label', 'team=core');
  ids.web = await run('release', '--label', 'team=web', '--correlation-id', 'c-1');
  ids.done = await run('plain', '--label', 'team=core');
});
afterAll(() => world.dispose());

const kit = (...argv: readonly string[]) => world.here(argv, { cwd: dir });
const listed = async (...flags: readonly string[]): Promise<readonly unknown[]> => {
  const { runs } = lastOf(await kit('status', '--json', ...flags)) as unknown as { runs: { id: string }[] };
  return runs.map(({ id }) => id);
};

describe('kit status', () => {
  it('narrows by status, label, correlation, topology, age and the beginning of an id', async () => {
    expect(await listed('--status', 'deferred')).toEqual([ids.web, ids.core]);
    expect(await listed('--status', 'deferred,completed', '--label', 'team=core')).toEqual([ids.done, ids.core]);
    expect(await listed('--correlation-id', 'c-1')).toEqual([ids.web]);
    expect(await listed('-t', 'plain', '--since', '1h')).toEqual([ids.done]);
    expect(await listed('--older-than', '1h')).toEqual([]);
    expect(await listed(String(ids.core).slice(0, 9))).toEqual([ids.core]);
    expect((await kit('status', '--label', 'team=nobody')).stdout).toBe('no run passes the filters\n');
    const bad = await kit('status', '--since', 'yesterday');
    expect([bad.code, bad.stderr]).toEqual([2, expect.stringContaining('Write 90s, 5m, 2h or 7d.')]);
  });
});

describe('kit wait', () => {
  it('ends with the exit codes of kit run, and prints what the run came to', async () => {
    const done = await kit('wait', String(ids.done));
    expect([done.code, done.stdout]).toEqual([0, 'mock answer to: hi\n']);
    expect(done.stderr).toContain(`run ${ids.done} of plain is completed`);
    const parked = await kit('wait', String(ids.core).slice(0, 8), '--json');
    expect([parked.code, lastOf(parked)]).toEqual([3, expect.objectContaining({ status: 'deferred' })]);
  });

  it('waits through a decision until the run has ended, or until its time is over', async () => {
    const late = await kit('wait', String(ids.core), '--until', 'ended', '--timeout', '50ms');
    expect([late.code, late.stderr]).toEqual([2, expect.stringContaining('KIT_WAIT_TIMEOUT')]);
    const waiting = world.kit(['wait', String(ids.core), '--until', 'ended', '-w', dir]);
    for (const who of ['qa-1', 'ops-1'])
      expect((await kit('review', 'approve', String(ids.core), '--as', who)).code).toBe(0);
    expect(await waiting).toMatchObject({ code: 0, stdout: 'mock answer to: hi\n' });
  });
});

describe('a run that waits for people', () => {
  it('is told alike by whatever showed it: who can decide, and the line to paste', async () => {
    const decidable = (text: string, run: string) => expect(text).toContain(`kit review approve ${run} --as ops-1`);
    const fired = await kit('triggers', 'fire', 'nightly', '--input', 'hi', '--as', 'nobody');
    const [, run = ''] = /run (\w+) of release/.exec(fired.stderr) ?? [];
    expect(fired.code).toBe(3);
    expect(fired.stderr).toContain('warning: author not identified: nobody stands in no role registry');
    decidable(fired.stderr, run);
    expect(fired.stderr).toMatch(/then: +it goes on by itself once this is decided; by hand: kit run .*--resume=/);
    const resumed = await kit('resume', run);
    expect(resumed.code).toBe(3);
    decidable(resumed.stderr, run);
    expect(lastOf(await kit('resume', run, '--json'))).toMatchObject({
      id: run,
      gates: [{ gate_id: `${run}:writer` }],
    });
    expect((await kit('stop', run)).code).toBe(0);
  });
});

describe('stop and resume of what passes the filters', () => {
  it('tell the number and ask; without a terminal nothing is done unless --yes says so', async () => {
    const refused = await kit('stop', '--label', 'team=web');
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringMatching(/one run selected[\s\S]*--yes/)]);
    expect(await listed('--status', 'deferred')).toEqual([ids.web]);
    const none = await kit('stop', '--label', 'team=nobody', '--yes');
    expect([none.code, none.stderr]).toEqual([0, 'no run to stop matches the filters\n']);
    const stopped = await kit('stop', '--label', 'team=web', '--yes');
    expect([stopped.code, stopped.stderr]).toEqual([0, `  ${ids.web}  release  deferred\n`]);
    // What it prints works where it is printed.
    expect(stopped.stdout).toContain(`kit run release --resume=${ids.web}`);
    const resumed = await kit('resume', '--correlation-id', 'c-1', '--yes', '--quiet', '--json');
    expect([resumed.code, lastOf(resumed)]).toMatchObject([3, { runs: [{ id: ids.web, status: 'deferred' }] }]);
    for (const verb of ['stop', 'resume', 'retry']) {
      const nothing = await kit(verb);
      expect([nothing.code, nothing.stderr]).toEqual([
        2,
        expect.stringContaining(`select runs to ${verb} with filters`),
      ]);
    }
  });
});
