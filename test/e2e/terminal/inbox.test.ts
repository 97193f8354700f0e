import { describe, expect, it } from 'vitest';
import { eventsOf } from '../world.js';
import { expectCleanTerminal, inboxTests, STATE } from './inboxes.js';
import { STYLES } from './terminals.js';

const { desk, world } = inboxTests();

describe('the inbox on a terminal', () => {
  it('needs three keys from the list to a decision, which is in the store when the result is shown', async () => {
    const at = await desk();
    const terminal = at.shell(`$REVIEW; ${STATE}`);
    await terminal.sees(/inbox of qa-1 {2}1 of 1 {2}\(qa\)/);
    terminal.type('\r');
    const opened = await terminal.sees(/a approve · r reject/);
    expect(opened).toMatch(/^sign for qa \(release:sign\)/);
    expect(opened).toMatch(/waits for ops \(release:sign\): ops-1/);
    expect(opened).toMatch(/submitted by dana/);
    expect(opened).toMatch(/artifact {2}text\/plain/);
    terminal.type('a');
    await terminal.sees(/approve, with a comment if you like/);
    terminal.type('\r');
    await terminal.sees(/recorded: approved for qa; still needed: ops \(ops-1\)/);
    expect(at.item(at.task('qa'))).toEqual({ status: 'approved', resolved_by: 'qa-1', comment: '' });
    await terminal.sees(/nothing waits for you/);

    terminal.type('q');
    await terminal.ended;
    expect(terminal.all()).toContain('one decision recorded');
    expect(terminal.all()).toContain('exit=0');
    expectCleanTerminal(terminal);
  });

  it('requests changes with a comment alone, and the run that this wakes goes on at once', async () => {
    const at = await desk();
    const terminal = at.shell(`$REVIEW; ${STATE}`);
    await terminal.sees(/^> qa/m);
    terminal.type('\r');
    await terminal.sees(/c request changes/);
    terminal.type('c');
    await terminal.sees(/say what should change/);
    terminal.type('\r');
    await terminal.sees(/Say what should change; the agent works from it\./);
    expect(at.item(at.task('qa'))).toMatchObject({ status: 'pending' });
    // Pasted with line breaks, which are not Enter.
    terminal.type('\u001b[200~Name the\rgrößte\n\u001b[201~');
    await terminal.sees(/> Name the größte_/);
    terminal.type(' risk');
    await terminal.sees(/> Name the größte risk_/);
    terminal.type('\r');
    await terminal.sees(/recorded: changes-requested for qa; the agent works on it again/);
    expect(at.item(at.task('qa'))).toEqual({
      status: 'changes-requested',
      resolved_by: 'qa-1',
      comment: 'Name the größte risk',
    });
    // The agent works once more while the inbox is open, and its gate opens again.
    await terminal.sees(/run [0-9a-f]{12} asks again: [0-9a-f]{12}:writer[\s\S]*/);
    await terminal.sees(/^> qa .*round 1/m);
    expect(at.item(at.task('qa', 1))).toMatchObject({ status: 'pending' });

    terminal.type('q');
    await terminal.ended;
    expect(terminal.all().join('\n')).toMatch(/run [0-9a-f]{12} is deferred[\s\S]*look: kit why [0-9a-f]{12}/);
    expect(terminal.all()).toContain('exit=0');
    expectCleanTerminal(terminal);

    const again = at.inbox();
    await again.sees(/round 1/);
    again.type('\r');
    expect(await again.sees(/changes since your decision/)).toMatch(/Name the größte\s+risk/);
    again.type('\u0003');
    expect(await again.ended).toBe(130);
  });

  it('leaves the runs that were decided where they are with --no-resume, and says how they go on', async () => {
    const at = await desk();
    const terminal = at.inbox(['--as', 'qa-1', '--no-resume']);
    await terminal.sees(/^> qa/m);
    terminal.type('\r');
    await terminal.sees(/c request changes/);
    terminal.type('c');
    await terminal.sees(/say what should change/);
    terminal.type('shorter\r');
    await terminal.sees(/recorded: changes-requested/);
    terminal.type('q');
    expect(await terminal.ended).toBe(0);
    expect(at.item(at.task('qa', 1))).toBeUndefined();
    expect(terminal.all().join('\n')).toContain('--no-resume');
    const resumed = await world().kit(['run', at.dir, 'release', `--resume=${at.job}`, '--json']);
    expect(eventsOf(resumed).map((event) => event.type)).toContain('rework');
  });

  it('leaves a woken run that nobody has begun where it is on Ctrl-C, and says so', async () => {
    const at = await desk();
    const terminal = at.inbox();
    await terminal.sees(/^> qa/m);
    terminal.type('\r');
    await terminal.sees(/c request changes/);
    terminal.type('c');
    await terminal.sees(/say what should change/);
    terminal.type('shorter\r');
    await terminal.sees(/recorded: changes-requested/);
    terminal.type('\u0003');
    expect(await terminal.ended).toBe(130);
    expect(terminal.all().join('\n')).not.toContain('--no-resume');
    // Begun within the second, it is stopped like any run; else nobody has it.
    expect(terminal.all().join('\n')).toMatch(/is pending; who decided has left|is stopped|is deferred/);
  });

  it('asks for the reason of a rejection, and says what becomes of the run', async () => {
    const at = await desk();
    const terminal = at.inbox();
    await terminal.sees(/^> qa/m);
    terminal.type('\r');
    await terminal.sees(/r reject/);
    terminal.type('r');
    await terminal.sees(/Say why/);
    terminal.type('\r');
    await terminal.sees(/Say why: the run ends/);
    terminal.type('no tests\r');
    await terminal.sees(/recorded: rejected for qa; the gate is rejected and run [0-9a-f]{12} ends/);
    terminal.type('q');
    expect(await terminal.ended).toBe(0);
    expect(at.item(at.task('qa'))).toEqual({ status: 'rejected', resolved_by: 'qa-1', comment: 'no tests' });
  });

  it('shows a refusal with its reason, keeps the task open, and goes on', async () => {
    const at = await desk();
    const terminal = at.inbox();
    await terminal.sees(/^> qa/m);
    terminal.type('\r');
    await terminal.sees(/a approve/);
    terminal.type('a');
    await terminal.sees(/approve, with/);
    // A colleague is faster.
    const other = await world().kit([
      'review',
      'resolve',
      at.task('qa'),
      at.dir,
      '--as',
      'qa-2',
      '--reject',
      '--comment',
      'no',
    ]);
    expect(other.code).toBe(0);
    terminal.type('\r');
    await terminal.sees(/already/);
    expect(at.item(at.task('qa'))).toMatchObject({ status: 'rejected', resolved_by: 'qa-2' });
    // Out of the comment, out of the item, out of the inbox.
    terminal.type('\u001b');
    await terminal.sees(/a approve · r reject/);
    terminal.type('q');
    // The list may have been read anew by then, without the task.
    await terminal.sees(/enter open|nothing waits for you/);
    terminal.type('q');
    expect(await terminal.ended).toBe(0);
    expect(terminal.all().join('\n')).toContain('0 decisions recorded');
  });

  it('says the same words without colour under NO_COLOR, and with colour by default', async () => {
    const at = await desk();
    const plain = at.inbox(['--as', 'qa-1'], { env: { NO_COLOR: '1' } });
    const coloured = at.inbox(['--as', 'qa-1', '--color']);
    const texts: string[] = [];
    for (const terminal of [plain, coloured]) {
      await terminal.sees(/^> qa/m);
      terminal.type('\r');
      texts.push((await terminal.sees(/a approve/)).replaceAll(/ +$/gm, '').replace(/\d+ s ago/, 'N s ago'));
      terminal.type('\u0003');
      expect(await terminal.ended).toBe(130);
    }
    expect(texts[0]).toBe(texts[1]);
    expect(plain.raw()).not.toMatch(STYLES);
    expect(coloured.raw()).toMatch(STYLES);
  });
});

describe('where the inbox cannot be opened', () => {
  it('without a terminal it exits 2 and names the commands that need none', async () => {
    const at = await desk();
    for (const argv of [
      ['review', at.dir, '--as', 'qa-1'],
      ['review', at.dir, '--as', 'qa-1', '--json'],
    ]) {
      const { code, stdout, stderr } = await world().kit(argv);
      expect(code).toBe(2);
      expect(stdout + stderr).toContain('the inbox needs a terminal');
      expect(stdout + stderr).toContain('kit review list');
    }
  });

  it('on a terminal that cannot move its cursor it exits 2 as well, and draws nothing', async () => {
    const at = await desk();
    const terminal = at.inbox(['--as', 'qa-1'], { env: { TERM: 'dumb' } });
    expect(await terminal.ended).toBe(2);
    expect(terminal.all().join(' ')).toContain('needs a terminal that can move its cursor');
    expect(terminal.raw()).not.toContain('\u001b[?1049h');
  });

  it('for an identity in no role it exits 2 and says what to type, given or taken from the machine', async () => {
    const at = await desk();
    const named = at.inbox(['--as', 'nobody-known']);
    expect(await named.ended).toBe(2);
    expect(named.all().join('\n')).toMatch(/nobody-known is in no role of roles\/[\s\S]*--as one of qa-1, qa-2, ops-1/);
    const own = at.inbox([]);
    expect(await own.ended).toBe(2);
    expect(own.all().join('\n')).toMatch(/is in no role of roles\/[\s\S]*kit config set identity/);
    for (const terminal of [named, own]) expect(terminal.raw()).not.toContain('\u001b[?1049h');
  });
});
