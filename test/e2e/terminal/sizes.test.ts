import { describe, expect, it } from 'vitest';
import type { PseudoTerminal } from '../../support/components/pseudo-terminal.js';
import { shownOf, terminalTests, withoutTimes } from './terminals.js';

const { team } = terminalTests();

const FRAME = /^(team@|● lead|└─ |0 of 2|Ctrl-C)/;

/**
 * Resolves when the screen shows the tree as it is drawn for this width: the row of the lead ends
 * at the last column, with its cost or, where there is no room for it, cut. A row that the terminal
 * has broken ends there as well, but in the midst of a word.
 */
const drawnFor = (terminal: PseudoTerminal, columns: number): Promise<void> => {
  const width = Math.min(columns, 120);
  const end = columns < 36 ? '…' : columns < 60 ? ' ms$|s' : 'cost unknown';
  return terminal.until((screen) =>
    screen.some((line) => line.startsWith('● lead') && line.length === width && new RegExp(`(${end})$`).test(line)),
  );
};

// A tree that takes more rows than the screen has, once its lines are broken, loses its top to the
// scrollback: nobody can erase there. So no step here is narrower than a fourth of the one before.
const STEPS: readonly (readonly [columns: number, rows: number])[] = [
  [50, 24],
  [20, 24],
  [100, 12],
  [30, 30],
  [130, 30],
  [40, 24],
  [90, 24],
];

describe('a terminal that changes its size while a run goes on', () => {
  it('shows one tree after each change, wide or narrow, and never a part of an older one', async () => {
    const { server, run } = await team(1);
    const terminal = run([], { columns: 100, rows: 24 });
    await expect.poll(() => server.waiting().length).toBe(1);
    await terminal.sees(/─ ● member-1/);
    await drawnFor(terminal, 100);

    for (const [columns, rows] of STEPS) {
      await terminal.resize(columns, rows);
      await drawnFor(terminal, columns);
      const frame = terminal.all().filter((line) => FRAME.test(line));
      expect(
        frame.map((line) => FRAME.exec(line)?.[0]),
        `${columns} x ${rows}`,
      ).toEqual(['team@', '● lead', '└─ ', '0 of 2', 'Ctrl-C']);
      expect(
        frame.every((line) => line.length <= columns),
        `${columns} x ${rows}`,
      ).toBe(true);
    }
    server.releaseAll();

    expect(await terminal.ended).toBe(0);
    expect(shownOf(withoutTimes(terminal.all())).slice(3)).toEqual([
      '✓ lead  done  TIME  20 in, 10 out  cost unknown',
      '└─ ✓ member-1  done  TIME  10 in, 5 out  cost unknown',
      '',
      'the team is done',
      'completed  run RUN of team',
      '  TIME · 2 agents · 3 model calls · 0 tool calls · 30 in, 15 out · cost unknown',
    ]);
  });

  it('keeps what stood above the tree', async () => {
    const { server, shell } = await team(1);
    const terminal = shell('for i in 1 2 3 4 5 6; do echo "line $i of the shell"; done; exec $RUN', {
      columns: 90,
      rows: 40,
    });
    await expect.poll(() => server.waiting().length).toBe(1);
    await terminal.sees(/─ ● member-1/);
    await drawnFor(terminal, 90);
    for (const columns of [70, 40, 30, 60, 90, 60, 40]) {
      await terminal.resize(columns, 40);
      await drawnFor(terminal, columns);
    }
    const frame = shownOf(terminal.all()).filter((line) => FRAME.test(line));
    server.releaseAll();

    expect(await terminal.ended).toBe(0);
    expect(frame.map((line) => FRAME.exec(line)?.[0])).toEqual(['team@', '● lead', '└─ ', '0 of 2', 'Ctrl-C']);
    for (let line = 1; line <= 6; line += 1) expect(terminal.all()).toContain(`line ${line} of the shell`);
  });
});

describe.each([40, 20])('a screen of %i columns', (columns) => {
  it('shows who runs and how, one row each, and leaves figures out before names', async () => {
    const { server, run } = await team(2);
    const terminal = run([], { columns, rows: 16 });
    await expect.poll(() => server.waiting().length).toBe(2);
    await terminal.sees(/─ ● member-2/);
    const running = terminal.screen();
    server.releaseAll();

    expect(await terminal.ended).toBe(0);
    expect(running.filter((line) => /^[├└]─ ● member-[12]/.test(line))).toHaveLength(2);
    expect(running.filter((line) => line.startsWith('● lead'))).toHaveLength(1);
    expect(running.some((line) => /● .* (ms|s)$/.test(line))).toBe(columns === 40);
    expect(
      terminal.all().filter((line) => /^[├└]─ ✓ member-\d +done/.test(line) || /^[├└]─ ✓ member-\d +do…/.test(line)),
    ).toHaveLength(2);
  });
});

describe('a screen of 5 rows', () => {
  it('still shows the whole run, and never more rows than there are', async () => {
    const { server, run } = await team(6);
    const terminal = run([], { columns: 60, rows: 5 });
    await expect.poll(() => server.waiting().length).toBe(6);
    await terminal.sees(/0 of 7 agents done/);
    const running = terminal.screen();
    server.releaseAll();

    expect(await terminal.ended).toBe(0);
    expect(running.filter((line) => line.startsWith('team@'))).toHaveLength(1);
    expect(terminal.all().filter((line) => line.startsWith('team@'))).toEqual([]);
    expect(terminal.all().filter((line) => /─ ✓ member-/.test(line))).toHaveLength(6);
  });
});
