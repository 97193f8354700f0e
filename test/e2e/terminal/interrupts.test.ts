import { readdirSync, readFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import type { PseudoTerminal } from '../../support/components/pseudo-terminal.js';
import { lastOf, processesOf } from '../world.js';
import { type Team, terminalTests } from './terminals.js';

const { team, world } = terminalTests();
const CTRL_C = '\u0003';

/** A run whose members wait for their model. */
async function heldRun(of: Team, open: () => PseudoTerminal): Promise<PseudoTerminal> {
  const terminal = open();
  await expect.poll(() => of.server.waiting().length).toBe(2);
  await terminal.sees(/waits for 2 agents/);
  return terminal;
}

/** The process of kit below a shell. */
function kitPid(): number {
  const line = processesOf(world().temp).find(
    (process) => process.includes('bin/kit.js run') && !process.includes('sh -c'),
  );
  return Number(line?.split(' ')[0]);
}

/** What the line discipline of the terminal is set to, as a person's next program finds it. */
const STATE = 'code=$?; echo "exit=$code"; stty -a | tr ";" "\\n"';

function expectCleanTerminal(terminal: PseudoTerminal): void {
  const shown = terminal.all().join('\n');
  expect(shown).toMatch(/(^|\s)icanon\b/);
  expect(shown).toMatch(/(^|\s)isig\b/);
  expect(shown).toMatch(/(^|\s)echo\b/);
  expect(terminal.isCursorShown()).toBe(true);
  // Neither another screen nor a mouse, paste or keyboard mode was ever asked for.
  expect(terminal.raw()).not.toMatch(/\[\?(1049|1000|1002|1003|2004)h/);
}

describe('Ctrl-C on a terminal', () => {
  it('once: the run stops, exits 4 and says how to go on', async () => {
    const of = await team(2);
    const terminal = await heldRun(of, () => of.shell(`$RUN; ${STATE}`));
    terminal.type(CTRL_C);
    // Nobody answers the calls in flight.
    await terminal.ended;
    of.server.releaseAll();

    const shown = terminal.all().join('');
    expect(shown).toMatch(/stopping [0-9a-f]{12}: model calls are aborted/);
    expect(shown).toContain('exit=4');
    const resume = /go on: +kit run (\S+) team --resume=([0-9a-f]{12})/.exec(shown);
    expect(resume?.[1]).toBe(of.dir);
    expectCleanTerminal(terminal);
    const resumed = await world().kit(['run', of.dir, 'team', `--resume=${resume?.[2]}`, '--json'], { env: of.env });
    expect(lastOf(resumed)).toMatchObject({ status: 'completed', output: 'the team is done' });
  });

  it('twice: the run is cut off, exits 130, and the tree says which agents did not finish', async () => {
    const of = await team(2);
    const terminal = await heldRun(of, () => of.shell(`$RUN; ${STATE}`));
    // Both presses can come in one piece.
    terminal.type(CTRL_C + CTRL_C);
    await terminal.ended;

    const shown = terminal.all().join('\n');
    expect(shown).toContain('exit=130');
    expect(shown).toMatch(/^├─ ○ member-1 +not finished/m);
    expectCleanTerminal(terminal);
    expect(lastOf(await world().kit(['checkpoints', of.dir, '--json']))).toMatchObject({
      checkpoints: [{ status: 'stopped' }],
    });
  });

  it('and what else is typed leaves no trace in the tree', async () => {
    const of = await team(2);
    const terminal = await heldRun(of, () => of.run());
    terminal.type('typed by mistake\r\r\r\u001b[A');
    terminal.type(CTRL_C);

    expect(await terminal.ended).toBe(4);
    expect(terminal.raw()).not.toContain('typed by mistake');
    expect(terminal.raw()).not.toContain('^C');
  });
});

describe('Ctrl-Z on a terminal', () => {
  it('gives the terminal to the shell, and the tree is there again when the run is brought back', async () => {
    const of = await team(2);
    const terminal = await heldRun(of, () =>
      of.shell(`set -m; $RUN; echo "stopped=$?"; ${STATE}; fg > /dev/null; echo "end=$?"`),
    );
    terminal.type('\u001a');
    // The tree of before is still on the screen.
    await expect.poll(() => terminal.all().join('\n')).toMatch(/^stopped=/m);
    await terminal.sees(/waits for 2 agents/);
    of.server.releaseAll();
    await terminal.ended;

    const shown = terminal.all().join('\n');
    expect(shown).toMatch(/^stopped=1\d\d$/m);
    expect(shown).toMatch(/^end=0$/m);
    expect(shown.match(/─ ✓ member-1 +done/g)).toHaveLength(1);
    expectCleanTerminal(terminal);
  });
});

describe.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s from outside', (signal) => {
  it('goes to the same handler as the byte: the run is stopped, and says so', async () => {
    const of = await team(2);
    const terminal = await heldRun(of, () => of.shell(`$RUN; ${STATE}`));
    process.kill(kitPid(), signal);
    await terminal.ended;

    expect(terminal.all().join('\n')).toMatch(/stopping [0-9a-f]{12}: model calls are aborted/);
    expect(terminal.all()).toContain('exit=4');
    expectCleanTerminal(terminal);
  });
});

describe('a terminal that goes away', () => {
  it('stops the run as a signal does, and leaves no process', async () => {
    const of = await team(2);
    const terminal = await heldRun(of, () => of.run());
    const pid = terminal.pid;
    terminal.hangUp();
    await expect.poll(() => stopRequests(of)).toBe(1);
    of.server.releaseAll();
    await expect
      .poll(() => readdirSync('/proc').includes(String(pid)) && !isZombie(pid), { timeout: 20_000 })
      .toBe(false);

    const listed = lastOf(await world().kit(['checkpoints', of.dir, '--json']));
    expect(listed).toMatchObject({ checkpoints: [{ status: 'stopped', reason: expect.not.stringContaining('died') }] });
  });
});

function stopRequests(of: Team): number {
  const store = new Database(`${of.dir}/.kit/store.sqlite`, { readonly: true });
  try {
    return store.prepare('SELECT 1 FROM jobs WHERE stop_requested_at IS NOT NULL').all().length;
  } finally {
    store.close();
  }
}

function isZombie(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.startsWith('Z') === true;
  } catch {
    return false;
  }
}

describe('an error that ends the command', () => {
  it('leaves the terminal clean and the message readable below the tree', async () => {
    const of = await team(2);
    const terminal = await heldRun(of, () => of.shell(`$RUN; ${STATE}`));
    // Somebody else takes the run over: this process has lost it and says so.
    const store = new Database(`${of.dir}/.kit/store.sqlite`);
    store.prepare("UPDATE jobs SET attempt = attempt + 1, worker_id = 'another'").run();
    store.close();
    of.server.releaseAll();
    await terminal.ended;

    const shown = terminal.all().join('\n');
    expect(shown).toMatch(/^error\[KIT_LEASE_LOST\]/m);
    expect(shown).toContain('exit=1');
    expectCleanTerminal(terminal);
  });
});
