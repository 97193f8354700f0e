import { describe, expect, it } from 'vitest';
import { shownOf, terminalTests, withoutTimes } from './terminals.js';

const { team } = terminalTests();

/** What kit says of a workspace that is new on a machine. */
const INTRODUCTION_LINES = 3;

describe('kit run on a terminal', () => {
  it('shows the agents as a tree with what each is at, and leaves the tree as it ended above the result', async () => {
    const { server, run } = await team(3);
    const terminal = run([], { columns: 100 });
    await expect.poll(() => server.waiting().length).toBe(3);
    await terminal.sees(/waits for 3 agents/);
    const running = withoutTimes(terminal.screen());
    server.release('member-2');
    await terminal.sees(/member-2 +done/);
    const oneDone = withoutTimes(terminal.screen());
    server.releaseAll();

    expect(await terminal.ended).toBe(0);
    expect(shownOf(running).slice(INTRODUCTION_LINES)).toEqual([
      'team@1.0.0  TIME  run RUN',
      '● lead  waits for 3 agents  TIME  10 in, 5 out  cost unknown',
      '├─ ● member-1  asking the model  TIME',
      '├─ ● member-2  asking the model  TIME',
      '└─ ● member-3  asking the model  TIME',
      '0 of 4 agents done · 1 model call · 0 tool calls · 10 in, 5 out · cost unknown',
      'Ctrl-C stops the run',
    ]);
    expect(oneDone).toContain('● lead  waits for 2 agents  TIME  10 in, 5 out  cost unknown');
    expect(oneDone).toContain('├─ ✓ member-2  done  TIME  10 in, 5 out  cost unknown');
    expect(shownOf(withoutTimes(terminal.all())).slice(INTRODUCTION_LINES)).toEqual([
      '✓ lead  done  TIME  20 in, 10 out  cost unknown',
      '├─ ✓ member-1  done  TIME  10 in, 5 out  cost unknown',
      '├─ ✓ member-2  done  TIME  10 in, 5 out  cost unknown',
      '└─ ✓ member-3  done  TIME  10 in, 5 out  cost unknown',
      '',
      'the team is done',
      'completed  run RUN of team',
      '  TIME · 4 agents · 5 model calls · 0 tool calls · 50 in, 25 out · cost unknown',
    ]);
    expect(terminal.isCursorShown()).toBe(true);
    expect(terminal.cursor().column).toBe(0);
  });

  it('lets times run while nothing happens', async () => {
    const { server, run } = await team(1);
    const terminal = run();
    await expect.poll(() => server.waiting().length).toBe(1);
    const timeOf = (): string => / {2}([\d.]+ (?:ms|s)) {2}run/.exec(terminal.screen().join('\n'))?.[1] ?? '';

    // What the server has been asked, the terminal may show later.
    await expect.poll(timeOf).not.toBe('');
    const before = timeOf();

    await expect.poll(timeOf).not.toBe(before);
  });

  it('names in the tree why an agent failed, and says in a line that stays what somebody should look at', async () => {
    const { server, run } = await team(2);
    server.reply('member-1', { do: 'status', status: 400, message: 'no such model' });
    server.reply('member-2', { do: 'answer', calls: [{ name: 'fly', arguments: {} }] });
    const terminal = run();
    await expect.poll(() => server.waiting().length).toBe(2);
    server.release('member-2');
    await terminal.sees(/└─ ✓ member-2 +done/);
    await terminal.sees(/^! member-2: called the tool fly, which it does not hold$/m);
    server.releaseAll();

    expect(await terminal.ended).toBe(1);
    const shown = withoutTimes(terminal.all());
    expect(shown).toContainEqual(expect.stringMatching(/^✗ lead {2}failed: provider\.bad_request/));
    expect(shown).toContainEqual(expect.stringMatching(/^├─ ✗ member-1 {2}failed: provider\.bad_request/));
  });

  it('adds tool calls and the text that a model is writing with --verbose, and no line per agent after the tree', async () => {
    const { server, run } = await team(2);
    server.reply('member-1', { do: 'stall', text: 'the first words \u001b[2J\u001b[31mof an answer' });
    const terminal = run(['--verbose']);
    await expect.poll(() => server.waiting().length).toBe(2);
    server.release('member-1');
    // What may be the beginning of a secret is held back: the last letter can be missing.
    await terminal.sees(/^ {6}» the first words of an answe/m);
    terminal.type('\u0003');

    expect(await terminal.ended).toBe(4);
    const shown = withoutTimes(terminal.all());
    expect(terminal.raw()).not.toContain('\u001b[2J');
    expect(shown).toContainEqual(expect.stringMatching(/^├─ ○ member-1 {2}not finished/));
    expect(shown.filter((line) => line.includes('member-1'))).toHaveLength(1);
    expect(shown).toContainEqual(expect.stringMatching(/^ {2}local\/m1: /));
  });

  it('masks a secret in streamed text, also where a piece ends in the midst of it', async () => {
    const { server, run } = await team(1);
    server.reply('member-1', { do: 'stall', text: 'it is key-of-the-test, they say' });
    const terminal = run(['--verbose']);
    await expect.poll(() => server.waiting().length).toBe(1);
    server.release('member-1');
    await terminal.sees(/» it is \[MASKED\], they/);
    terminal.type('\u0003\u0003');
    await terminal.ended;

    expect(terminal.raw()).not.toContain('key-of');
  });

  it('shows nothing of a streamed answer without --verbose', async () => {
    const { server, run } = await team(1);
    server.reply('member-1', { do: 'stall', text: 'the first words' });
    const terminal = run();
    await expect.poll(() => server.waiting().length).toBe(1);
    server.release('member-1');
    terminal.type('\u0003');
    await terminal.ended;

    expect(terminal.raw()).not.toContain('the first words');
  });
});

describe('40 parallel agents on 24 rows', () => {
  it('show as many as fit and say how many more; nothing scrolls away before the end, and then every agent stands there once', async () => {
    const { server, run } = await team(40);
    const terminal = run();
    await expect.poll(() => server.waiting().length).toBe(40);
    await terminal.sees(/waits for 40 agents/);
    const full = terminal.screen();
    const history = terminal.all();
    for (let member = 1; member <= 30; member += 1) server.release(`member-${member}`);
    await terminal.sees(/30 of 41 agents done/);
    const late = terminal.screen();
    server.releaseAll();

    expect(await terminal.ended).toBe(0);
    // What was there before has made room; of the tree nothing has scrolled away.
    expect(history).toHaveLength(24 + INTRODUCTION_LINES);
    expect(history.filter((line) => line.startsWith('team@1.0.0'))).toHaveLength(1);
    expect(full[0]).toMatch(/^team@1\.0\.0/);
    const members = full.filter((line) => /─ ● member-\d+ /.test(line)).length;
    expect(full).toContain(`… ${40 - members} more agents: ${40 - members} running`);
    expect(members).toBeGreaterThanOrEqual(16);
    expect(full).toContainEqual(expect.stringMatching(/^└─ ● member-\d+/));
    // Those that still run are all shown; of the others, those that were done last.
    for (let member = 31; member <= 40; member += 1)
      expect(late).toContainEqual(expect.stringMatching(new RegExp(`─ ● member-${member} `)));
    expect(late).toContainEqual(expect.stringMatching(/^… \d+ more agents: \d+ done$/));
    const all = terminal.all();
    expect(all.filter((line) => line.startsWith('team@1.0.0'))).toHaveLength(0);
    for (let member = 1; member <= 40; member += 1) {
      expect(
        all.filter((line) => new RegExp(`─ ✓ member-${member} `).test(line)),
        `member-${member}`,
      ).toHaveLength(1);
    }
  });
});
