import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { processesOf } from '../world.js';
import { expectCleanTerminal, inboxTests, STATE } from './inboxes.js';

const { desk, world } = inboxTests();
const CTRL_C = '\u0003';

/** The process of kit below a shell. */
function kitPid(): number {
  const line = processesOf(world().temp).find(
    (process) => process.includes('bin/kit.js review') && !process.includes('sh -c'),
  );
  return Number(line?.split(' ')[0]);
}

describe('however the inbox ends', () => {
  it.each([
    ['q in the list', ['q'], 0],
    ['Escape in the list', ['\u001b'], 0],
    ['Ctrl-C in the list', [CTRL_C], 130],
    ['Ctrl-C in an open item', ['\r', CTRL_C], 130],
    ['Ctrl-C while a comment is typed', ['\r', 'c', 'half a sent', CTRL_C], 130],
  ] as const)('%s leaves the terminal as it was found', async (_what, keys, code) => {
    const at = await desk();
    const terminal = at.shell(`$REVIEW; ${STATE}`);
    const shows = [/^> qa/m, /a approve/, /say what should change/, /half a sent_/];
    for (const [index, key] of keys.entries()) {
      await terminal.sees(shows[index] ?? /./);
      terminal.type(key);
    }
    await terminal.ended;
    expect(terminal.all()).toContain('0 decisions recorded');
    expect(terminal.all()).toContain(`exit=${code}`);
    expectCleanTerminal(terminal);
    expect(at.item(at.task('qa'))).toMatchObject({ status: 'pending' });
  });

  it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s from outside leaves it clean and exits 130', async (signal) => {
    const at = await desk();
    const terminal = at.shell(`$REVIEW; ${STATE}`);
    await terminal.sees(/^> qa/m);
    process.kill(kitPid(), signal);
    await terminal.ended;
    expect(terminal.all()).toContain('exit=130');
    expectCleanTerminal(terminal);
  });

  it('a window that is closed leaves no process and no decision', async () => {
    const at = await desk();
    const terminal = at.inbox();
    await terminal.sees(/^> qa/m);
    terminal.type('\r');
    await terminal.sees(/a approve/);
    terminal.hangUp();
    await expect
      .poll(() => readdirSync('/proc').includes(String(terminal.pid)) && processesOf(world().temp).length > 0, {
        timeout: 20_000,
      })
      .toBe(false);
    expect(at.item(at.task('qa'))).toMatchObject({ status: 'pending' });
  });

  it('a store that breaks while it is open ends it with the error on a clean terminal', async () => {
    const at = await desk();
    const terminal = at.shell(`$REVIEW; ${STATE}`);
    await terminal.sees(/^> qa/m);
    at.sql('ALTER TABLE review_items RENAME TO gone');
    terminal.type('\r');
    await terminal.ended;
    const shown = terminal.all().join('\n');
    expect(shown).toMatch(/error\[KIT_/);
    expect(shown).toMatch(/exit=[12]/);
    expectCleanTerminal(terminal);
  });
});

describe('Ctrl-Z in the inbox', () => {
  it('gives the shell its own screen, and the inbox is there again, as it was left, when it is brought back', async () => {
    const at = await desk();
    const terminal = at.shell(`set -m; $REVIEW; echo "stopped=$?"; ${STATE}; fg > /dev/null; echo "end=$?"`);
    await terminal.sees(/^> qa/m);
    terminal.type('\r');
    await terminal.sees(/a approve/);
    terminal.type('\u001a');
    await terminal.until(
      (screen) => terminal.raw().includes('stopped=148') && /sign for qa[\s\S]*a approve/.test(screen.join('\n')),
    );
    terminal.type('q');
    await terminal.sees(/^> qa/m);
    terminal.type('q');
    await terminal.ended;
    expect(terminal.all()).toContain('end=0');
    expectCleanTerminal(terminal);
  });
});

describe('a terminal that changes its size', () => {
  it('is drawn anew, narrower, lower and larger again, with nothing of the old size left', async () => {
    const at = await desk(3);
    const terminal = at.inbox();
    const rows = () => terminal.screen();
    await terminal.sees(/1 of 3[\s\S]*^> qa/m);
    for (const [columns, height] of [
      [40, 12],
      [30, 6],
      [120, 40],
      [80, 24],
    ] as const) {
      await terminal.resizeStill(columns, height);
      await terminal.until(
        (screen) =>
          screen.length === height &&
          screen[0]?.startsWith('inbox of qa-1') === true &&
          /^enter open/.test(screen.at(-1) ?? ''),
      );
      expect(rows().filter((row) => row.includes('inbox of'))).toHaveLength(1);
      expect(rows().filter((row) => row.startsWith('> '))).toHaveLength(1);
    }
    terminal.type('\r');
    await terminal.sees(/a approve/);
    await terminal.resizeStill(40, 20);
    await terminal.until(
      (screen) =>
        screen.length === 20 && screen[0]?.startsWith('sign for qa') === true && /^a approve/.test(screen.at(-1) ?? ''),
    );
    expect(rows().filter((row) => row.startsWith('sign for'))).toHaveLength(1);
    terminal.type(CTRL_C);
    expect(await terminal.ended).toBe(130);
  });
});
