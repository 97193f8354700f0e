import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Clock } from '../../../src/domain/ports/system.js';
import { createClock } from '../../../src/system/clock.js';
import { bash } from '../../support/fake-claude.js';
import { answer, goOn } from '../../support/gated.js';
import { effectsOf, linesOf, openHarness } from '../../support/harness-world.js';
import { createRepository, type TestRepository } from '../../support/repository.js';
import { adapter, harnessWorlds } from '../harness-world.js';
import { lawfulWorlds, payloadsOf } from '../laws.js';

const { run, nothingLeft } = harnessWorlds();
const open = lawfulWorlds();
const MB = 1024 * 1024;

describe('a harness', () => {
  it('may flood stderr: its last words are kept, and nothing of the rest', async () => {
    const script = `const part = "e".repeat(1 << 16); for (let i = 0; i < 800; i++) fs.writeSync(2, part); fs.writeSync(2, "last words"); done("fine")`;
    const world = await run({ adapter: adapter(script) });

    expect(await world.row()).toMatchObject({ status: 'completed', output: 'fine' });
    const [result] = payloadsOf(await world.events(), 'executor.result');
    expect(result?.exit_metadata).toMatchObject({ stderr_tail: expect.stringMatching(/e{100}last words$/) });
    expect(JSON.stringify(result).length).toBeLessThan(64 * 1024);
    nothingLeft();
  });

  it('is read to its end where the last line has none', async () => {
    const world = await run({ adapter: adapter('fs.writeSync(1, JSON.stringify({type: "done", text: "fine"}))') });
    expect(await world.row()).toMatchObject({ status: 'completed', output: 'fine' });
  });

  it('may change 50 MB: the whole is told, and what is shown of it is bounded', async () => {
    const line = 'x'.repeat(1023);
    const script = `const part = ("${line}\\n").repeat(1024); const file = fs.openSync("big.txt", "w"); for (let i = 0; i < 50; i++) fs.writeSync(file, part); done("fine")`;
    const world = await run({ adapter: adapter(script) });

    expect(await world.row()).toMatchObject({ status: 'completed' });
    const [result] = payloadsOf(await world.events(), 'executor.result');
    expect(Number(result?.diff_bytes)).toBeGreaterThan(50 * MB);
    expect(JSON.stringify(await world.events()).length).toBeLessThan(MB);
    expect((await world.stores.jobs.diffs(world.job.id))?.root?.length).toBeGreaterThan(50 * MB);
    nothingLeft();
  });

  it('that removes its own worktree has not done its work, and leaves nothing', async () => {
    const script =
      'const here = process.cwd(); process.chdir("/"); fs.rmSync(here, { recursive: true, force: true }); done("fine")';
    const world = await run({ adapter: adapter(script) });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'executor.diff_unreadable' });
    nothingLeft();
  });

  it('takes no negative time where the clock goes back', async () => {
    const real = createClock();
    let back = 0;
    const clock: Clock = { ...real, now: () => real.now() - back };
    const script = 'say({type: "text", text: "hm"}); setTimeout(() => done("fine"), 50)';
    const world = await run({
      adapter: adapter(script),
      clock,
      facilities: (base) => ({
        processes: {
          spawn: (...args) => {
            back = 3_600_000;
            return base.processes.spawn(...args);
          },
        },
      }),
    });

    expect(await world.row()).toMatchObject({ status: 'completed', output: 'fine' });
    const [result] = payloadsOf(await world.events(), 'executor.result');
    expect(Number(result?.duration_ms)).toBeGreaterThanOrEqual(0);
  });

  it('whose login cannot be renewed fails with its own words', async () => {
    const script =
      'say({type: "text", text: "OAuth token has expired; run /login"}); process.stderr.write("refresh: invalid_grant"); process.exit(1)';
    const world = await run({ adapter: adapter(script) });

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'executor.exit_code' });
    const [result] = payloadsOf(await world.events(), 'executor.result');
    expect(result?.exit_metadata).toMatchObject({ returncode: 1, stderr_tail: 'refresh: invalid_grant' });
  });

  it('of a version that nobody verified is started, and the run says so', async () => {
    const spec = { ...adapter('done("fine")'), verified: { program: 'tiny', range: '>=1.0.0 <2.0.0' } };
    const asked: string[] = [];
    const facilities = (said: string) => () => ({
      askVersion: async (program: string) => {
        asked.push(program);
        return said;
      },
    });
    const other = await run({ adapter: spec, facilities: facilities('tiny 2.3.4') });
    const same = await run({ adapter: spec, facilities: facilities('tiny 1.3.4') });

    expect(asked).toEqual(['tiny', 'tiny']);
    expect(await other.row()).toMatchObject({ status: 'completed' });
    expect(payloadsOf(await other.events(), 'executor.message')).toMatchObject([
      { role: 'warning', text: expect.stringContaining('2.3.4 is installed, and the adapter was verified with') },
    ]);
    expect(payloadsOf(await same.events(), 'executor.message')).toEqual([]);
  });
});

describe('a session that people decided about', () => {
  let repository: TestRepository;
  beforeEach(() => {
    repository = createRepository({ 'a.txt': 'a\n' });
  });
  afterEach(() => repository.dispose());

  it('is ended where the program goes on with another one: nothing that was approved is made', async () => {
    const command = `echo ran >> ${effectsOf(repository)}`;
    const world = await openHarness(open, {
      repository,
      turns: [[bash(command, { fault: 'other-session' })], [{ say: 'Done.' }]],
    });
    await world.run();
    await answer(world, { action: 'approve' });
    await goOn(world);

    expect(await world.row()).toMatchObject({ status: 'failed', reason: 'executor.session_gone' });
    expect(linesOf(effectsOf(repository))).toEqual([]);
  });

  it('begins anew where its worktree was removed: the approval is void, and people are asked again', async () => {
    const { rmSync, readdirSync } = await import('node:fs');
    const command = `echo ran >> ${effectsOf(repository)}`;
    const world = await openHarness(open, { repository, turns: [[bash(command)], [{ say: 'Done.' }]] });
    await world.run();
    await answer(world, { action: 'approve' });
    for (const name of readdirSync(repository.temp)) rmSync(`${repository.temp}/${name}`, { recursive: true });

    expect(await goOn(world)).toMatchObject({ kind: 'parked' });
    expect(linesOf(effectsOf(repository))).toEqual([]);
    await answer(world, { action: 'approve' });
    await goOn(world);
    expect(linesOf(effectsOf(repository))).toEqual(['ran']);
  });
});
