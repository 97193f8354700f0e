import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { edit, execute, fakeAcpSpec } from '../../support/fake-acp.js';
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
  openHarness(open, { repository, spec: fakeAcpSpec(), ...of });
const openItem = async (world: World) => (await reviews(world)).items.find(isOpenItem);
const outcomeOf = async (world: World, key: string) =>
  (await world.stores.runs.load(world.job.id)).find((row) => row.key === key)?.outcome;
const permissionsOf = async (world: World) =>
  payloadsOf(await world.events(), 'executor.permission').map((one) => [one.tool, one.answer]);
const worktrees = (): readonly string[] => readdirSync(repository.temp);
const once = (): string => `echo ran >> ${effectsOf(repository)}`;

describe('a session over ACP', () => {
  it('works in its worktree, tells what it does and what it used, and goes when it has answered', async () => {
    const world = await start({
      permissions: ['allow execute echo *'],
      turns: [
        [{ say: 'I write.' }, edit('note.md')],
        [execute('echo fine')],
        [{ fault: 'garbage' }, { fault: 'serve' }, { say: 'All done.' }],
      ],
    });
    expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
    expect((await world.row()).output).toBe('All done.');
    expect((await world.stores.jobs.diffs(world.job.id))?.coder).toContain('+++ b/note.md');
    const events = await world.events();
    expect(payloadsOf(events, 'executor.tool_call').map((one) => [one.tool, one.status, one.ends])).toEqual([
      ['edit', '', undefined],
      ['edit', 'ok', true],
      ['execute', '', undefined],
      ['execute', 'ok', true],
    ]);
    expect(payloadsOf(events, 'executor.message').map((one) => one.text)).toEqual(['I write.', 'All done.']);
    expect(payloadsOf(events, 'executor.result')).toMatchObject([
      { status: 'success', input_tokens: 100, output_tokens: 20, cost_usd: 0.75, model: 'mock/fake-1' },
    ]);
    expect(worktrees()).toEqual([]);
  });

  it('parks at a call that people decide about, and its model asks for it again when they have approved', async () => {
    const world = await start({ turns: [[{ say: 'Now the command.' }, execute(once())], [{ say: 'All done.' }]] });
    expect(await world.run()).toMatchObject({ kind: 'parked' });
    expect(linesOf(effectsOf(repository))).toEqual([]);
    expect(await openItem(world)).toMatchObject({
      kind: 'permission',
      stepKey: 'root/d0/s0/permission',
      details: {
        tool: 'execute',
        kind: 'execute',
        input: { command: once() },
        exactness: 'repeat',
        rationale: { said_by: 'model', text: 'Now the command.' },
      },
    });
    await answer(world, { action: 'approve' });
    expect(await goOn(world)).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
    expect(linesOf(effectsOf(repository))).toEqual(['ran']);
    expect((await world.row()).output).toBe('All done.');
    expect(await permissionsOf(world)).toEqual([
      ['execute', 'deferred'],
      ['execute', 'granted'],
    ]);
    const reported = payloadsOf(await world.events(), 'executor.tool_call').map((one) => one.summary);
    expect(reported.join(' ')).not.toContain('rm -rf');
  });

  it('asks anew where the model asks for another call than the one that was approved', async () => {
    const then = { command: `${once()}; true` };
    const world = await start({ turns: [[execute(once(), { fault: 'other-input', then })]] });
    await world.run();
    await answer(world, { action: 'approve' });
    expect(await goOn(world)).toMatchObject({ kind: 'parked' });
    expect(linesOf(effectsOf(repository))).toEqual([]);
    expect(await openItem(world)).toMatchObject({ stepKey: 'root/d0/s1/permission', details: { input: then } });
  });

  it('grants an approved call once: the second time it is asked about again', async () => {
    const world = await start({ turns: [[execute(once(), { fault: 'twice' })]] });
    await world.run();
    await answer(world, { action: 'approve' });
    expect(await goOn(world)).toMatchObject({ kind: 'parked' });
    expect(linesOf(effectsOf(repository))).toEqual(['ran']);
  });

  it('is told the comment when a person rejects the call, and goes on without it', async () => {
    const world = await start({ turns: [[execute(once())], [{ say: 'Then not.' }]] });
    await world.run();
    await answer(world, { action: 'reject', comment: 'use make' });
    expect(await goOn(world)).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
    expect(linesOf(effectsOf(repository))).toEqual([]);
    expect((await world.row()).output).toBe('Then not.');
  });

  it('has another call of the same turn refused until people have decided', async () => {
    const world = await start({ turns: [[execute(once()), execute(`${once()}2`)]] });
    expect(await world.run()).toMatchObject({ kind: 'parked' });
    expect(linesOf(effectsOf(repository))).toEqual([]);
    expect(linesOf(`${effectsOf(repository)}2`)).toEqual([]);
  });

  it('is prompted with what was not allowed where a refusal ends its turn', async () => {
    const world = await start({
      permissions: ['deny execute'],
      turns: [[execute(once(), { fault: 'silent-reject' })], [{ say: 'Without it.' }]],
    });
    expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
    expect((await world.row()).output).toBe('Without it.');
    expect(await permissionsOf(world)).toEqual([['execute', 'denied']]);
  });
});

describe('a program that speaks ACP otherwise than it should', () => {
  it.each([
    ['a command', (): readonly object[] => [execute('echo silent', { fault: 'unasked' })]],
    ['an edit elsewhere', () => [edit(join(repository.base, 'outside.txt'), { fault: 'unasked' })]],
  ])('is ended when it made %s without asking', async (_name, calls) => {
    const world = await start({ turns: [calls() as never, [{ say: 'Done.' }]] });
    expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'failed' } });
    expect(await outcomeOf(world, 'root/d0/s0')).toMatchObject({ reason: 'executor.ungoverned' });
    expect(payloadsOf(await world.events(), 'executor.permission')).toMatchObject([
      { answer: 'denied', reason: expect.stringContaining('made without asking') },
    ]);
  });

  it('may do without asking what it need not ask about', async () => {
    const world = await start({
      turns: [[{ call: 'read', input: { filePath: 'a.txt' }, fault: 'unasked' }], [edit('b.md', { fault: 'unasked' })]],
    });
    expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
  });

  it.each(['no-input', 'no-options'])('is refused a call whose request lacks what people need (%s)', async (fault) => {
    const world = await start({ turns: [[execute(once(), { fault })], [{ say: 'Done.' }]] });
    expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
    expect(linesOf(effectsOf(repository))).toEqual([]);
  });

  it.each([
    [['--version-9'], 'executor.acp_version'],
    [['--auth'], 'executor.credential_missing'],
  ])('%s fails as %s', async (flags, reason) => {
    const world = await start({ turns: [[{ say: 'Done.' }]], spec: fakeAcpSpec(...flags) });
    expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'failed' } });
    expect(await outcomeOf(world, 'root/d0/s0')).toMatchObject({ reason });
  });

  it.each([
    ['error', 'executor.acp_prompt'],
    ['exit', 'executor.no_terminal_event'],
    ['long-line', 'executor.line_too_long'],
  ])('fails where its turn ends with %s', async (fault, reason) => {
    const world = await start({ turns: [[{ fault }]] });
    expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'failed' } });
    expect(await outcomeOf(world, 'root/d0/s0')).toMatchObject({ reason });
  });

  it('is ended where it stays after its answer', async () => {
    const world = await start({ turns: [[{ fault: 'stderr' }, { say: 'Done.' }]], spec: fakeAcpSpec('--stays') });
    expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'completed' } });
  });

  it('cannot go on with a session that is gone: the approved call is not made', async () => {
    const turns = [[execute(once())]];
    const world = await start({ turns, spec: fakeAcpSpec('--lost') });
    await world.run();
    await answer(world, { action: 'approve' });
    expect(await goOn(world)).toMatchObject({ kind: 'ended', end: { status: 'failed' } });
    expect(await outcomeOf(world, 'root/d0/s1')).toMatchObject({ reason: 'executor.session_gone' });
    expect(linesOf(effectsOf(repository))).toEqual([]);
  });

  it('is not started where the repository holds a file that it obeys and cannot pass by', async () => {
    const spec = fakeAcpSpec();
    repository.write('opencode.json', '{}');
    repository.git('add', '--all');
    repository.git('commit', '--quiet', '--message=obeyed');
    const world = await start({
      turns: [[{ say: 'Done.' }]],
      spec: { ...spec, gate: { ...(spec.gate as object), refuse_control_files: true } },
    });
    expect(await world.run()).toMatchObject({ kind: 'ended', end: { status: 'failed' } });
    expect(await outcomeOf(world, 'root/d0/s0')).toMatchObject({ reason: 'executor.gate_unavailable' });
  });
});
