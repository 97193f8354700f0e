import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWorld, type World } from '../world.js';
import { gated } from './gated-workspace.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

/** `release` waits for qa and ops. */
async function parked(name: string) {
  const directory = world.files(name, gated());
  const run = await world.here(['run', directory, 'release', '--input', 'write it', '--as', 'dana', '--json']);
  expect(run.code).toBe(3);
  const job = String(run.lines().at(-1)?.id);
  const review = (argv: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    world.here(['review', ...argv, '-w', directory], { env });
  return { directory, job, review };
}

describe('what waits is called by its run', () => {
  it('approves the one item of a run that is yours, by the beginning of its id', async () => {
    const { job, review } = await parked('approve');
    const done = await review(['approve', job.slice(0, 8), '--as', 'qa-1', '-m', 'fine']);
    expect([done.code, done.stderr]).toEqual([0, '']);
    expect(done.stdout).toMatch(/^as qa-1 \(--as\)\nmpa-\S+-qa is approved by qa-1 for qa/);
    // The other one is another person's, and is refused in the words of the rule.
    const other = await review(['approve', job, '--as', 'qa-1']);
    expect(other.code).toBe(2);
    expect(other.stderr).toContain('KIT_APPROVAL_DENIED');
    const last = await review(['reject', `${job.slice(0, 6)}:wri`, '--as', 'ops-1', '--no-resume', '--json']);
    expect(last.lines().at(-1)).toMatchObject({ item: { role: 'ops', status: 'rejected' } });
    const nothing = await review(['approve', job, '--as', 'qa-1']);
    expect([nothing.code, nothing.stderr]).toEqual([2, expect.stringMatching(/nothing of .* waits[\s\S]*kit why/)]);
  });

  it('refuses who may decide none of several as it does for one, and names who can', async () => {
    const { job, review } = await parked('several');
    const none = await review(['reject', job, '--as', 'dana', '-m', 'no']);
    expect([none.code, none.stdout]).toEqual([2, '']);
    expect(none.stderr).toMatch(
      /KIT_APPROVAL_DENIED[\s\S]*"dana" may not decide mpa-\S+-0-qa: "dana" is in no role[\s\S]*qa-1 or qa-2 can: kit review resolve mpa-\S+-0-qa --as qa-1 --reject --comment no/,
    );
    const missing = await review(['changes', job, '--as', 'qa-1']);
    expect([missing.code, missing.stderr]).toEqual([2, expect.stringContaining('KIT_COMMENT_MISSING')]);
    const sent = await review(['changes', job, '--as', 'qa-1', '-m', 'name the risk', '--no-resume', '--json']);
    expect(sent.lines().at(-1)).toMatchObject({ item: { role: 'qa', status: 'changes-requested' } });
  });

  it('shows the item of your role by the beginning of its run, with what is decided about', async () => {
    const { job, review } = await parked('show');
    const shown = await review(['show', job.slice(0, 7), '--as', 'ops-1']);
    expect(shown.stdout).toMatch(/^as ops-1 \(--as\)\nmpa-\S+-ops {2}pending/);
    expect(shown.stdout).toMatch(/what is decided about {2}text\/plain, \d+ bytes\n {2}mock answer to: write it/);
    const wire = await review(['show', job, '--as', 'ops-1', '--json']);
    expect(wire.lines().at(-1)).toMatchObject({ artifact: { text: 'mock answer to: write it', is_cut: false } });
    const nobody = await review(['show', job, '--as', 'dana']);
    expect([nobody.code, nobody.stderr]).toEqual([2, expect.stringContaining('KIT_ITEM_AMBIGUOUS')]);
  });

  it('takes the beginning of a run in `resolve` too', async () => {
    const { job, review } = await parked('resolve');
    const done = await review(['resolve', job.slice(0, 9), '--as', 'ops-1', '--approve', '--json']);
    expect(done.lines().at(-1)).toMatchObject({ item: { role: 'ops', status: 'approved' } });
  });
});

describe('who you are', () => {
  it('is set once: in the environment, or with kit config, which the environment wins over', async () => {
    const { job, review } = await parked('identity');
    expect((await world.here(['config', 'list'])).stdout).toBe('nothing is set\n');
    const set = await world.here(['config', 'set', 'identity', 'ops-1']);
    expect([set.code, set.stdout]).toEqual([0, expect.stringMatching(/^identity is ops-1 \(.*config\.json\)\n$/)]);
    expect((await review(['list', '--mine'])).stdout).toMatch(/^as ops-1 \(kit config\)\nITEM/);
    const other = await review(['approve', job], { KIT_IDENTITY: 'qa-2' });
    expect(other.stdout).toMatch(/^as qa-2 \(KIT_IDENTITY\)\n.*approved by qa-2/);
    const own = await review(['resolve', job, '--approve', '--no-resume']);
    expect(own.stdout).toMatch(/^as ops-1 \(kit config\)\n.*approved by ops-1/);
    expect((await world.here(['config', 'list', '--json'])).lines().at(-1)).toMatchObject({
      values: { identity: 'ops-1' },
    });
    expect((await world.here(['config', 'unset', 'identity'])).code).toBe(0);
    expect((await review(['resolve', job, '--approve'])).stderr).toContain('kit config set identity');
    const unknown = await world.here(['config', 'set', 'colour', 'red']);
    expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('identity')]);
  });

  it('submits runs as well', async () => {
    const directory = world.files('submits', gated());
    const run = await world.here(['run', directory, 'plain', '--input', 'hi', '--json'], {
      env: { KIT_IDENTITY: 'dana' },
    });
    expect(run.lines().at(-1)).toMatchObject({ submitted_by: { identity: 'dana', assurance: 'asserted' } });
  });

  it('narrows the list to what waits for you', async () => {
    const { review } = await parked('mine');
    const mine = await review(['list', '--mine', '--as', 'qa-1', '--json']);
    expect(mine.lines().at(-1)).toMatchObject({ total: 1, items: [{ role: 'qa', you: { can_decide: true } }] });
    expect((await review(['list', '--mine', '--as', 'nobody', '--json'])).lines().at(-1)).toMatchObject({ total: 0 });
  });
});
