import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { KitResult } from '../../support/kit-process.js';
import { makeWorld, type World } from '../world.js';
import { type GatedText, gated, PEOPLE, roleFile } from './gated-workspace.js';

let world: World;
beforeAll(async () => {
  world = await makeWorld();
});
afterAll(() => world.dispose());

const last = (result: KitResult) => result.lines().at(-1) ?? {};

/** A workspace of its own in which `release` was run, submitted by dana, and waits. */
async function parked(name: string, text: GatedText = {}) {
  const directory = world.files(name, gated(text));
  const run = await world.here(['run', directory, 'release', '--input', 'write it', '--as', 'dana', '--json']);
  expect(run.code).toBe(3);
  const job = String(last(run).id);
  const task = (role: string, round = 0): string => `mpa-${job}:writer-0-${role}${round === 0 ? '' : `-r${round}`}`;
  const resolve = (role: string, who: string, ...rest: readonly string[]) =>
    world.here(['review', 'resolve', task(role), directory, '--as', who, ...rest]);
  return { directory, job, gate: `${job}:writer`, task, resolve, run };
}

describe('a run that parks', () => {
  it('exits 3 and prints the gate, who can act and the line to paste, which works as it stands', async () => {
    const directory = world.files('shown', gated());
    const run = await world.here(['run', directory, 'release', '--input', 'hi', '--as', 'dana']);
    expect([run.code, run.stdout]).toEqual([3, '']);
    const [, line = ''] = /^\s+(kit review approve [0-9a-f]{12} .*)$/m.exec(run.stderr) ?? [];
    expect(run.stderr).toMatch(
      /gate [0-9a-f]{12}:writer: \S+#[0-9a-f]{12}\n {2}kit artifacts get .*\n {2}qa \(release:sign\): qa-1, qa-2\n/,
    );
    const [, artifact = ''] = /^\s+(kit artifacts get .*)$/m.exec(run.stderr) ?? [];
    expect(await world.here(artifact.replaceAll("'", '').split(' ').slice(1))).toMatchObject({
      code: 0,
      stdout: 'mock answer to: hi',
    });
    expect(line).toMatch(/ --as qa-1$/);
    const pasted = await world.here(line.split(' ').slice(1));
    expect([pasted.code, pasted.stderr]).toEqual([0, '']);
    expect(pasted.stdout).toContain('is approved by qa-1 for qa (release:sign)');
  });

  it('exits 0 when told so, plain and with --json, which holds the gates', async () => {
    const directory = world.files('zero', gated());
    const argv = ['run', directory, 'release', '--input', 'hi', '--as', 'dana', '--exit-zero-when-parked'];
    const [plain, json] = [await world.here(argv), await world.here([...argv, '--json'])];
    expect([plain.code, json.code]).toEqual([0, 0]);
    expect(last(json)).toMatchObject({
      type: 'result',
      status: 'deferred',
      gates: [
        {
          agent_id: 'writer',
          status: 'pending',
          who_can_act: [
            {
              role: 'qa',
              members: ['qa-1', 'qa-2'],
              command: expect.stringMatching(/^kit review resolve mpa-.*:writer-0-qa .* --as qa-1 --approve$/),
            },
            { role: 'ops', members: ['ops-1'], command: expect.stringContaining(` ${directory} --as ops-1 --approve`) },
          ],
        },
      ],
      items: [],
    });
  });

  it('stands in status, checkpoints, trace and why', async () => {
    const { directory, job, gate } = await parked('looked-at');
    expect((await world.here(['status', directory])).stdout).toMatch(new RegExp(`${job} .* deferred .* ${gate}`));
    expect((await world.here(['checkpoints', directory])).stdout).toContain(gate);
    expect((await world.here(['trace', job, directory])).stdout).toMatch(/^writer waits for people\n/m);
    const trace = await world.here(['trace', job, directory, '--json']);
    expect(last(trace)).toMatchObject({ trace: { gates: [{ gate_id: gate, status: 'pending' }], waiting_on: [gate] } });
    expect((await world.here(['why', job, directory])).stdout).toMatch(
      /the run waits for .*:writer\n.*needs qa \(release:sign\): qa-1 or qa-2/,
    );
    expect(last(await world.here(['why', gate, directory, '--json']))).toMatchObject({
      job: { id: job },
      gates: [{ gate_id: gate }],
    });
  });
});

describe('a decision from the command line', () => {
  it('lets the run go on once two people of two roles have approved, in the process of the last one', async () => {
    const { directory, job, resolve } = await parked('approved');
    const first = await resolve('qa', 'qa-1', '--approve', '-m', 'good', '--json');
    expect([first.code, last(first)]).toMatchObject([
      0,
      {
        item: { status: 'approved' },
        decision: { signed_by: expect.stringMatching(/^[0-9a-f]{16}$/) },
        run: { status: 'deferred', resumed: 'left' },
      },
    ]);
    const second = await resolve('ops', 'ops-1', '--approve');
    expect(second.code).toBe(0);
    expect(second.stdout).toMatch(/gate \S+ {2}approved[\s\S]*run [0-9a-f]{12} is completed/);
    expect(second.stderr).toMatch(/run completed|completed/);
    const status = await world.here(['status', directory, '--json']);
    expect(last(status)).toMatchObject({ runs: [{ id: job, status: 'completed', model_calls: 1 }] });
  });

  it('ends the run with a rejection, and its own exit code tells the decision alone', async () => {
    const { directory, job, resolve } = await parked('rejected');
    const rejected = await resolve('qa', 'qa-2', '--reject', '-m', 'no tests', '--resume', '--json');
    expect([rejected.code, last(rejected)]).toMatchObject([
      0,
      { item: { status: 'rejected' }, gate: { status: 'rejected' }, run: { status: 'failed' } },
    ]);
    const run = last(await world.here(['status', directory, '--json']));
    expect(run).toMatchObject({
      runs: [{ id: job, reason: 'gate_rejected', error: expect.stringMatching(/rejected by qa-2: no tests/) }],
    });
    expect((await resolve('ops', 'ops-1', '--approve')).code).toBe(2);
  });

  it('sends it back for another round, which is decided anew', async () => {
    const { directory, job, task, resolve } = await parked('reworked');
    const sent = await resolve('ops', 'ops-1', '--changes-requested', '-m', 'name the tests', '--no-resume');
    expect([sent.code, sent.stdout]).toEqual([
      0,
      expect.stringContaining(`kit run ${directory} release --resume=${job}`),
    ]);
    const resumed = await world.here(['run', directory, 'release', `--resume=${job}`]);
    expect([resumed.code, resumed.stderr]).toEqual([
      3,
      expect.stringMatching(/gate \S+:writer, round 1: [\s\S]*kit review approve/),
    ]);
    expect(await resolve('qa', 'qa-1', '--approve')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('KIT_ALREADY_DECIDED'),
    });
    for (const [role, who] of [['qa', 'qa-1'] as const, ['ops', 'ops-1'] as const])
      expect(
        (await world.here(['review', 'resolve', task(role, 1), directory, '--as', who, '--approve', '--resume'])).code,
      ).toBe(role === 'qa' ? 0 : 0);
    const gate = last(await world.here(['review', 'gate', `${job}:writer`, directory, '--json']));
    expect(gate).toMatchObject({
      round: 1,
      status: 'approved',
      resolutions: [{ stale: true, round: 0 }, { stale: false }, { stale: false }],
    });
    expect(last(await world.here(['status', directory, '--json']))).toMatchObject({ runs: [{ status: 'completed' }] });
  });

  it('is not offered while the run is stopped: gate, why and refusal name the resume', async () => {
    const { directory, job, gate, resolve } = await parked('halted');
    await world.here(['stop', job, directory]);
    const resume = `kit run --resume=${job}`;
    for (const shown of [
      await world.here(['review', 'gate', gate, directory]),
      await world.here(['why', job, directory]),
    ]) {
      expect(shown.stdout).toContain(resume);
      expect(shown.stdout).not.toContain('kit review resolve');
    }
    expect(await resolve('qa', 'qa-1', '--approve')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(resume),
    });
  });

  it('leaves a run with gates.auto_resume off to an explicit resume', async () => {
    const { directory, job, resolve } = await parked('explicit', { workspace: 'gates: { auto_resume: false }\n' });
    await resolve('qa', 'qa-1', '--approve');
    const how = `everything is decided; gates.auto_resume is off`;
    expect(last(await resolve('ops', 'ops-1', '--approve', '--json'))).toMatchObject({
      gate: { status: 'approved' },
      run: { status: 'deferred', why: `${how}: kit run --resume=${job}` },
    });
    expect((await world.here(['why', job, directory])).stdout).toContain(
      `${how}, so the run waits for: kit run --resume=${job}`,
    );
    const resumed = await world.here(['run', directory, 'release', `--resume=${job}`]);
    expect([resumed.code, resumed.stdout]).toEqual([0, 'mock answer to: write it\n']);
  });

  it('follows the role files as they stand at that instant, and refuses while they are broken', async () => {
    const { directory, resolve } = await parked('edited');
    writeFileSync(join(directory, 'roles/people.yaml'), '][');
    expect(await resolve('qa', 'qa-1', '--approve')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('nobody can decide'),
    });
    writeFileSync(join(directory, 'roles/people.yaml'), roleFile(PEOPLE.replace('[qa-1, qa-2]', '[qa-3]')));
    expect(await resolve('qa', 'qa-1', '--approve')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('qa-3 can: kit review resolve'),
    });
    expect((await resolve('qa', 'qa-3', '--approve')).code).toBe(0);
  });

  it('comes too late after the instant of expiry, and the next resume ends the run', async () => {
    const { directory, job, gate, resolve } = await parked('expired', { approve: '  expires_after: 1s\n' });
    const statusOf = async () => last(await world.here(['review', 'gate', gate, directory, '--json'])).status;
    await expect.poll(statusOf).toBe('rejected');
    expect(await resolve('qa', 'qa-1', '--approve')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('KIT_GATE_EXPIRED'),
    });
    const resumed = await world.here(['run', directory, 'release', `--resume=${job}`]);
    expect(resumed.code).toBe(1);
    expect(last(await world.here(['status', directory, '--json']))).toMatchObject({
      runs: [{ status: 'failed', reason: 'gate_rejected' }],
    });
  });
});

describe('looking from the command line', () => {
  it('lists, shows and simulates, plain and with --json', async () => {
    const { directory, job, gate, task } = await parked('listed');
    const listed = await world.here(['review', 'list', directory]);
    expect(listed.stdout).toContain(task('qa'));
    expect(
      last(await world.here(['review', 'list', directory, '--gate', gate, '--kind', 'role_task', '--json'])),
    ).toMatchObject({
      total: 2,
      has_more: false,
      items: [
        { id: task('qa'), run_id: job, status: 'pending', resolved_by: '' },
        { id: task('ops'), gate_id: gate },
      ],
    });
    expect((await world.here(['review', 'list', directory, '--kind', 'input'])).stdout).toMatch(
      /^as .* \(the OS user\)\nnothing waits for a decision\n$/,
    );
    expect((await world.here(['review', 'show', task('q'), directory])).stdout).toContain(`gate ${gate}  pending`);
    const simulated = await world.here([
      'review',
      'simulate',
      'release',
      directory,
      '--author',
      'qa-1',
      '--approve',
      'qa-1,qa-2',
      '--reject',
      'ops-1',
    ]);
    expect(simulated.stdout).toMatch(
      /1\. qa-1: refused, .*submitted the run[\s\S]*2\. qa-2 for qa: approve; the gate is pending\n {2}3\. ops-1 for ops: reject; the gate is rejected/,
    );
    expect(
      last(
        await world.here([
          'review',
          'simulate',
          'release',
          directory,
          '--author',
          'x',
          '--approve',
          'qa-1,ops-1',
          '--json',
        ]),
      ),
    ).toMatchObject({
      gates: [
        {
          agent_id: 'writer',
          status: 'approved',
          steps: [
            { role: 'qa', allowed: true },
            { role: 'ops', status: 'approved' },
          ],
        },
      ],
    });
  });
});
