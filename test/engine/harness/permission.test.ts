import { readdirSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { oneLine } from '../../../src/view/lines/words.js';
import { bash } from '../../support/fake-claude.js';
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

const start = (of: Omit<HarnessWorld, 'repository'>): Promise<World> => openHarness(open, { repository, ...of });
const openItem = async (world: World) => (await reviews(world)).items.find(isOpenItem);
const keysOf = async (world: World) => (await world.stores.runs.load(world.job.id)).map((row) => row.key);
const outcomeOf = async (world: World, key: string) =>
  (await world.stores.runs.load(world.job.id)).find((row) => row.key === key)?.outcome;
const worktrees = (): readonly string[] => readdirSync(repository.temp);

const once = (): string => `echo ran >> ${effectsOf(repository)}`;

describe('a call of a harness that nobody but people may let through', () => {
  it('parks the run with the call, runs it once when approved, and the session goes on', async () => {
    const world = await start({
      turns: [
        [
          { say: 'I write the note, then I run it.' },
          { call: 'Write', input: { file_path: 'note.md', content: 'n\n' } },
        ],
        [{ say: 'Now the command.' }, bash(once())],
        [{ say: 'All done.' }],
      ],
    });
    expect(await world.run()).toMatchObject({ kind: 'parked' });
    expect(linesOf(effectsOf(repository))).toEqual([]);
    expect(worktrees()).toHaveLength(1);

    const item = await openItem(world);
    expect(item).toMatchObject({
      kind: 'permission',
      agentId: 'coder',
      stepKey: 'root/d0/s0/permission',
      details: {
        action: 'harness:approve:execute',
        tool: 'Bash',
        kind: 'execute',
        input: { command: once() },
        rationale: { said_by: 'model', text: 'Now the command.' },
        exactness: 'exact',
        round: 0,
        step: 'root/d0/s0',
      },
    });
    expect(JSON.stringify(item?.details)).toContain('+++ b/note.md');

    await answer(world, { action: 'approve' });
    expect(await goOn(world)).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
    expect(linesOf(effectsOf(repository))).toEqual(['ran']);
    expect((await world.row()).output).toBe('All done.');
    expect(await keysOf(world)).toEqual(['root', 'root/d0/s0', 'root/d0/s0/permission', 'root/d0/s1']);
    expect(payloadsOf(await world.events(), 'executor.permission').map((one) => [one.tool, one.answer])).toEqual([
      ['Bash', 'deferred'],
      ['Bash', 'granted'],
    ]);
    const calls = payloadsOf(await world.events(), 'executor.tool_call').map((one) => `${one.tool} ${one.status}`);
    expect(calls.at(-1)).toBe('Bash ok');
    const diff = (await world.stores.jobs.diffs(world.job.id))?.coder ?? '';
    // Of the launches of one draft the last one's diff is its work.
    expect(diff.split('+++ b/note.md')).toHaveLength(2);
    expect(worktrees()).toEqual([]);
  });

  it('asks with nothing of the command hidden, and says that there is more of it', async () => {
    const sneaky = `git status #\u001b]\n${once()}\n#\u0007`;
    const long = `true ${'\u202e'.repeat(3)}${' '.repeat(300)}; ${once()}`;
    const world = await start({ turns: [[bash(sneaky)], [bash(long)], [{ say: 'Done.' }]] });
    await world.run();
    const first = (await openItem(world))?.question ?? '';
    expect(first).toContain(`git status #\\u{1b}]\n${once()}\n#\\u{7} (`);
    expect(oneLine(first)).toContain(once());

    await answer(world, { action: 'reject' });
    await goOn(world);
    expect((await openItem(world))?.question).toMatch(
      /true (\\u\{202e\}){3} +… and \d+ more characters \([0-9a-f]{16}\)$/,
    );
  });

  it('is told to the model as refused, with the comment, when a person rejects it', async () => {
    const world = await start({ turns: [[bash(once())], [{ say: 'Then not.' }]] });
    await world.run();
    await answer(world, { action: 'reject', comment: 'use make' });
    expect(await goOn(world)).toMatchObject({ kind: 'ended', end: { status: 'completed' } });

    expect(linesOf(effectsOf(repository))).toEqual([]);
    expect((await world.row()).output).toBe('Then not.');
    const reported = payloadsOf(await world.events(), 'executor.tool_call').map((one) => one.summary);
    expect(reported).toContain('PreToolUse:Bash hook error: a person rejected this call: use make');
  });

  it('is made with the input that a person gave it, and with nothing else', async () => {
    const world = await start({ turns: [[bash(`rm -rf ${repository.base}/all`)], [{ say: 'Done.' }]] });
    await world.run();
    await answer(world, { action: 'approve', text: JSON.stringify({ command: once() }), comment: 'this one' });
    expect(await goOn(world)).toMatchObject({ kind: 'ended', end: { status: 'completed', output: 'Done.' } });

    expect(linesOf(effectsOf(repository))).toEqual(['ran']);
    const [asked, granted] = payloadsOf(await world.events(), 'executor.permission');
    expect(granted).toMatchObject({
      answer: 'granted',
      subject: once(),
      reason: `a person approved it with another input than that of ${String(asked?.input_sha256)}`,
    });
    expect(granted?.input_sha256).not.toBe(asked?.input_sha256);
  });

  it('is not made with an input that an entry denies, whoever gave it', async () => {
    const permissions = [`deny execute ${once()}`];
    const world = await start({ turns: [[bash('echo fine; echo')], [{ say: 'Done.' }]], permissions });
    await world.run();
    await answer(world, { action: 'approve', text: JSON.stringify({ command: once() }) });
    await goOn(world);

    expect(linesOf(effectsOf(repository))).toEqual([]);
    expect(payloadsOf(await world.events(), 'executor.permission').at(-1)).toMatchObject({ answer: 'denied' });
  });

  it('is asked about again, each time it comes, in a round of its own', async () => {
    const world = await start({ turns: [[bash(once())], [bash(once())], [{ say: 'Twice.' }]] });
    await world.run();
    await answer(world, { action: 'approve' });
    expect(await goOn(world)).toMatchObject({ kind: 'parked' });
    expect(linesOf(effectsOf(repository))).toEqual(['ran']);
    expect(await openItem(world)).toMatchObject({ stepKey: 'root/d0/s1/permission', details: { round: 1 } });

    await answer(world, { action: 'approve' });
    await goOn(world);
    expect(linesOf(effectsOf(repository))).toEqual(['ran', 'ran']);
  });

  it('waits alone: others of the same turn are refused, with a reason', async () => {
    const world = await start({ turns: [[bash(once()), bash(`${once()}2`)], [{ say: 'Done.' }]] });
    await world.run();
    expect(payloadsOf(await world.events(), 'executor.permission')).toMatchObject([
      { answer: 'deferred' },
      { answer: 'denied', reason: 'one call at a time can wait for people; ask for this one again' },
    ]);
    await answer(world, { action: 'approve' });
    await goOn(world);
    expect(linesOf(effectsOf(repository))).toEqual(['ran']);
    expect(linesOf(`${effectsOf(repository)}2`)).toEqual([]);
  });

  it('is refused to an agent that the session started', async () => {
    const world = await start({ turns: [[bash(once(), { agent: 'a-1' })], [{ say: 'Done.' }]] });
    expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
    expect(linesOf(effectsOf(repository))).toEqual([]);
    expect(payloadsOf(await world.events(), 'executor.permission')).toMatchObject([{ answer: 'denied' }]);
  });
});

describe('what entries of permissions say', () => {
  it('allows a command that is named, refuses what is denied, and asks nobody', async () => {
    const world = await start({
      permissions: ['allow execute echo *', 'deny edit secret/**'],
      turns: [
        [bash('echo fine')],
        [{ call: 'Write', input: { file_path: 'secret/a.txt', content: 'x' } }],
        [{ say: 'Done.' }],
      ],
    });
    expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
    expect(payloadsOf(await world.events(), 'executor.permission')).toMatchObject([
      { tool: 'Write', answer: 'denied', reason: 'permissions: deny edit secret/**' },
    ]);
    expect((await world.stores.jobs.diffs(world.job.id))?.coder).toBe('');
  });

  it('asks about a command that holds another one, whatever is allowed', async () => {
    const world = await start({
      permissions: ['allow execute echo *'],
      turns: [[bash(`echo a; ${once()}`)], [{ say: 'Done.' }]],
    });
    expect(await world.run()).toMatchObject({ kind: 'parked' });
  });

  it('asks about an edit outside the worktree, and of a file that the program obeys', async () => {
    for (const file_path of [`${repository.base}/outside.txt`, '.claude/settings.json', '.git']) {
      const world = await start({
        permissions: ['allow edit'],
        turns: [[{ call: 'Write', input: { file_path, content: '{}' } }], [{ say: 'Done.' }]],
      });
      expect(await world.run(), file_path).toMatchObject({ kind: 'parked' });
      await answer(world, { action: 'reject' });
      await goOn(world);
    }
  });
});

describe('a program that does not ask as it should', () => {
  it('is ended at the first call that its hook was not asked about', async () => {
    const world = await start({ turns: [[bash('echo silent', { fault: 'no-hook' })], [bash(once())]] });
    expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'failed' } });
    expect(await outcomeOf(world, 'root/d0/s0')).toMatchObject({ reason: 'executor.ungoverned' });
    expect(linesOf(effectsOf(repository))).toEqual([]);
  });

  it('makes an approved call once, however often it asks', async () => {
    const world = await start({ turns: [[bash(once(), { fault: 'hook-twice' })], [{ say: 'Done.' }]] });
    await world.run();
    await answer(world, { action: 'approve' });
    await goOn(world);
    expect(linesOf(effectsOf(repository)).length).toBeLessThan(2);
    expect(payloadsOf(await world.events(), 'executor.permission').map((one) => one.answer)).toEqual([
      'deferred',
      'granted',
      'denied',
    ]);
  });

  it('fails where a call that was put off is forgotten', async () => {
    const world = await start({ turns: [[bash(once()), { fault: 'lost' }], [{ say: 'Done.' }]] });
    expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'failed' } });
    expect(await outcomeOf(world, 'root/d0/s0')).toMatchObject({ reason: 'executor.gate_lost' });
  });
});
