import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { bash } from '../../support/fake-claude.js';
import { fakeCodexSpec, patch } from '../../support/fake-codex.js';
import { answer, goOn, isOpenItem, reviews } from '../../support/gated.js';
import { effectsOf, type HarnessWorld, linesOf, openHarness } from '../../support/harness-world.js';
import { createRepository, type TestRepository } from '../../support/repository.js';
import type { World } from '../../support/run-world.js';
import { lawfulWorlds, payloadsOf } from '../laws.js';

const open = lawfulWorlds();
let repository: TestRepository;
beforeEach(() => {
  repository = createRepository({ 'a.txt': 'a\n' });
});
afterEach(() => repository.dispose());

const start = (of: Omit<HarnessWorld, 'repository'>): Promise<World> =>
  openHarness(open, { repository, spec: fakeCodexSpec(), permissions: [], ...of });
const openItem = async (world: World) => (await reviews(world)).items.find(isOpenItem);
const saidOf = async (world: World) =>
  payloadsOf(await world.events(), 'executor.permission').map((one) => [one.tool, one.answer]);
const reasonOf = async (world: World, step: string) => {
  const row = (await world.stores.runs.load(world.job.id)).find(({ key }) => key === step);
  return row?.outcome?.status === 'failed' ? row.outcome.reason : row?.outcome?.status;
};
const effects = (): readonly string[] => linesOf(effectsOf(repository));
const once = (): string => `echo ran >> ${effectsOf(repository)}`;
const DONE = [{ say: 'All done.' }];

describe('a session of Codex that kit asks people about', () => {
  it('parks at a command, makes it once when it was approved, and goes on in the same session', async () => {
    const world = await start({ turns: [[patch('note.md')], [{ say: 'Now the command.' }, bash(once())], DONE] });
    expect(await world.run()).toMatchObject({ kind: 'parked' });
    expect(effects()).toEqual([]);
    expect(await openItem(world)).toMatchObject({
      kind: 'permission',
      stepKey: 'root/d0/s0/permission',
      details: {
        tool: 'Bash',
        kind: 'execute',
        input: { command: once() },
        exactness: 'repeat',
        rationale: { said_by: 'model', text: 'Now the command.' },
      },
    });
    await answer(world, { action: 'approve' });
    expect(await goOn(world)).toMatchObject({ kind: 'ended', end: { status: 'completed', output: 'All done.' } });
    expect(effects()).toEqual(['ran']);
    expect(await saidOf(world)).toEqual([
      ['Bash', 'deferred'],
      ['Bash', 'granted'],
    ]);
    expect((await world.stores.jobs.diffs(world.job.id))?.coder).toContain('+++ b/note.md');
    // Of a thread the last total holds, whatever the process before it did not come to say.
    expect((await world.row()).usage).toMatchObject({ inputTokens: 300, outputTokens: 60 });
    expect(readdirSync(repository.temp)).toEqual([]);
  });

  it('is told what a person says, and makes another call with another approval alone', async () => {
    const rejected = await start({ turns: [[bash(once())], [{ say: 'Then not.' }]] });
    await rejected.run();
    await answer(rejected, { action: 'reject', comment: 'use make' });
    expect(await goOn(rejected)).toMatchObject({ kind: 'ended', end: { status: 'completed', output: 'Then not.' } });

    const then = { command: `${once()}; true` };
    const other = await start({ turns: [[bash(once(), { fault: 'other-input', then })], DONE] });
    await other.run();
    await answer(other, { action: 'approve' });
    expect(await goOn(other)).toMatchObject({ kind: 'parked' });
    expect(await openItem(other)).toMatchObject({ details: { input: then } });

    const twice = await start({ turns: [[bash(`${once()}; :`, { fault: 'twice' })], DONE] });
    await twice.run();
    await answer(twice, { action: 'approve' });
    expect(await goOn(twice)).toMatchObject({ kind: 'parked' });
    expect(effects()).toEqual(['ran']);
  });

  it('asks about edits elsewhere, of several files, of what it obeys, and of a command elsewhere', async () => {
    const cases: readonly (readonly [string, NonNullable<HarnessWorld['turns'][number]>[number]])[] = [
      ['edit', patch(join(repository.base, 'outside.txt'))],
      ['edit', patch('.codex/config.toml')],
      ['unknown', patch('one.md', 'two.md')],
      ['execute', bash('true', { workdir: repository.base })],
    ];
    for (const [kind, call] of cases) {
      const world = await start({ permissions: ['allow edit', 'allow execute true'], turns: [[call], DONE] });
      expect(await world.run(), JSON.stringify(call)).toMatchObject({ kind: 'parked' });
      expect((await openItem(world))?.details).toMatchObject({ kind });
    }
    const here = await start({ permissions: ['allow execute true'], turns: [[bash('true')], [patch('one.md')], DONE] });
    expect(await here.run()).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
  });

  it('asks nobody where no `permissions` say so: its own sandbox decides', async () => {
    const { permissions: _none, ...plain } = { permissions: [], turns: [[bash(once())], DONE] };
    const world = await openHarness(open, { repository, spec: fakeCodexSpec(), ...plain });
    expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
    expect(effects()).toEqual(['ran']);
  });
});

describe('a Codex that does not ask as it should', () => {
  it.each([
    ['its hook is not run', 'no-hook'],
    ['what its hook says is not heard', 'answer-lost'],
  ])('is ended as ungoverned where %s', async (_what, fault) => {
    const world = await start({ turns: [[bash('echo silent', { fault })], [bash(once())], DONE] });
    expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'failed' } });
    expect(await reasonOf(world, 'root/d0/s0')).toBe('executor.ungoverned');
    expect(effects()).toEqual([]);
  });

  it('makes an approved call once, however often its hook asks', async () => {
    const world = await start({ turns: [[bash(once(), { fault: 'hook-twice' })], DONE] });
    await world.run();
    await answer(world, { action: 'approve' });
    await goOn(world);
    expect(effects()).toEqual(['ran']);
  });

  it('has no second call of a turn made, nor what comes after one that waits', async () => {
    const world = await start({ turns: [[bash(once(), { fault: 'deaf' }), bash(`${once()}2`)], [bash(once())]] });
    expect(await world.run()).toMatchObject({ kind: 'parked' });
    expect(effects()).toEqual([]);
    expect(linesOf(`${effectsOf(repository)}2`)).toEqual([]);
  });

  it.each([
    ['goes on with another session', (): void => {}, { fault: 'other-session' }],
    ['has lost its session', () => rmSync(companion('sessions'), { recursive: true }), {}],
  ])('that %s makes nothing of what was approved', async (_what, lose, more) => {
    const world = await start({ turns: [[bash(once(), more)], DONE] });
    await world.run();
    await answer(world, { action: 'approve' });
    lose();
    await goOn(world);
    expect(await world.row()).toMatchObject({ status: 'failed' });
    expect(effects()).toEqual([]);
  });

  it.each([
    [['exit'], 'executor.no_terminal_event'],
    [['fail'], 'executor.turn_failed'],
    [['long-line'], 'executor.line_too_long'],
    [['garbage', 'stderr', 'background', 'two-ends', 'no-newline'], 'ok'],
  ])('is read to its end (%s): %s', async (faults, reason) => {
    const world = await start({ turns: [[...faults.map((fault) => ({ fault })), { say: 'All done.' }]] });
    await world.run();
    expect(await reasonOf(world, 'root/d0/s0')).toBe(reason);
    if (reason === 'ok') expect((await world.row()).usage).toMatchObject({ inputTokens: 100, outputTokens: 20 });
  });

  it('is ended where it ignores that it is to end, and one that died has failed', async () => {
    const stays = await start({ turns: [[{ fault: 'stays' }, bash(once())], DONE] });
    expect(await stays.run()).toMatchObject({ kind: 'parked' });
    const died = await start({ turns: [[{ fault: 'die' }], DONE] });
    await died.run();
    expect(await reasonOf(died, 'root/d0/s0')).toBe('executor.signal');
  });
});

/** A folder of the session that is parked, in its CODEX_HOME. */
function companion(name: string): string {
  const found = readdirSync(repository.temp, { recursive: true, encoding: 'utf8' }).find((path) =>
    path.endsWith(`/${name}`),
  );
  return join(repository.temp, found ?? 'none');
}
