import { afterEach, expect, it } from 'vitest';
import { kitInTerminal, type PseudoTerminal, shellInTerminal } from '../../support/components/pseudo-terminal.js';
import { lastOf } from '../world.js';
import { type Desk, expectCleanTerminal, inboxTests, STATE } from './inboxes.js';

const { desk, world } = inboxTests();
const opened: PseudoTerminal[] = [];
afterEach(async () => {
  for (const terminal of opened.splice(0)) await terminal.dispose();
});

const keep = (terminal: PseudoTerminal): PseudoTerminal => {
  opened.push(terminal);
  return terminal;
};
const options = (env: NodeJS.ProcessEnv = {}) => ({ cwd: world().base, env: { ...world().env, ...env } });
const top = (at: Desk, flags: readonly string[] = [], env: NodeJS.ProcessEnv = {}) =>
  keep(kitInTerminal(['top', at.dir, ...flags], options(env)));
const TITLE = /^\S.* {2}\d\d:\d\d:\d\dZ$/m;

it('kit top shows the queue and the open gates, reads them again by itself, and leaves the terminal as it was with q', async () => {
  const at = await desk();
  const terminal = keep(shellInTerminal(`$KIT top ${at.dir}; ${STATE}`, options()));

  const shown = await terminal.sees(/open gates and questions {2}2/);
  expect(shown).toMatch(TITLE);
  expect(shown).toMatch(/^queue {2}0 waiting · 0 running$/m);
  expect(shown).toMatch(/^servers and workers {2}none$/m);
  expect(shown).toMatch(new RegExp(`^qa .*${at.job}:writer`, 'm'));
  expect(shown).toMatch(/^↑↓ choose · Enter why · s stop · \/ filter · \? keys · q leave$/m);
  expect(terminal.isCursorShown()).toBe(false);

  // Another process decides, and the page follows.
  expect(
    (await world().kit(['review', 'resolve', at.task('qa'), at.dir, '--as', 'qa-1', '--approve', '--no-resume'])).code,
  ).toBe(0);
  await terminal.sees(/open gates and questions {2}1/);
  terminal.type('q');
  await terminal.ended;
  expect(terminal.all()).toContain('exit=0');
  expectCleanTerminal(terminal);
  expect(terminal.all().join('\n')).not.toContain('open gates');
});

it('kit top follows the size of the terminal, scrolls, and ends with 130 at Ctrl-C', async () => {
  const at = await desk(3);
  const terminal = top(at);
  await terminal.sees(/open gates and questions {2}6/);

  await terminal.resizeStill(60, 8);
  await terminal.sees(/lines 1 to 6 of \d+ · ↑↓ choose/);
  terminal.type('j');
  await terminal.sees(/^▸ /m);
  terminal.type('\u001b[1~');
  await terminal.sees(/lines 1 to 6 of \d+/);

  terminal.type('\u0003');
  expect(await terminal.ended).toBe(130);
});

it('kit top shows why a gate waits, stops its run after a yes, and finds rows by words', async () => {
  const at = await desk();
  const terminal = top(at);
  await terminal.sees(/open gates and questions {2}2/);
  terminal.type('/qa\r');
  await terminal.sees(/open gates and questions {2}1/);
  terminal.type('j\r');
  await terminal.sees(new RegExp(`${at.job}.*q back`, 's'));
  terminal.type('q');
  await terminal.sees(/^▸ qa /m);
  terminal.type('\u001b');
  await terminal.sees(/open gates and questions {2}2/);

  terminal.type('s');
  await terminal.sees(new RegExp(`stop run ${at.job}`));
  terminal.type('y');
  await terminal.sees(new RegExp(`run ${at.job} is stopped`));
  // They wait for nobody until somebody resumes it.
  await terminal.sees(/open gates and questions {2}none/);
  terminal.type('q');
  expect(await terminal.ended).toBe(0);
  expect(lastOf(await world().kit(['why', at.job, at.dir, '--json']))).toMatchObject({ job: { status: 'stopped' } });
});

it('kit top has no colours with NO_COLOR, and some without', async () => {
  const at = await desk();
  // biome-ignore lint/suspicious/noControlCharactersInRegex: codes of colours
  const colours = /\u001b\[(1|2|3[1-3])m/;
  const plain = top(at, [], { NO_COLOR: '1' });
  await plain.sees(/open gates and questions {2}2/);
  expect(plain.raw()).not.toMatch(colours);
  const painted = top(at);
  await painted.sees(/open gates and questions {2}2/);
  expect(painted.raw()).toMatch(colours);
});

it('kit top prints one page with --once or without a terminal, one document with --json, and one a second with --watch', async () => {
  const at = await desk();
  const once = top(at, ['--once']);
  expect(await once.ended).toBe(0);
  expect(once.all().join('\n')).toMatch(/open gates and questions {2}2/);
  expect(once.raw()).not.toContain('\u001b[?1049h');

  const page = await world().kit(['top', at.dir]);
  expect(page).toMatchObject({ code: 0, stderr: '' });
  expect(page.stdout).toMatch(/^queue {2}0 waiting · 0 running\n/);
  expect(page.stdout).not.toContain('\u001b');
  expect(lastOf(await world().kit(['top', at.dir, '--json', '--limit', '1']))).toMatchObject({
    type: 'result',
    queue: { queued: 0, running: 0, blocked: [] },
    members: [],
    runs: [],
    waiting: [{ kind: 'role_task', gate_id: `${at.job}:writer`, job_id: at.job }],
    waiting_total: 2,
  });

  const watch = world().start(['top', at.dir, '--json', '--watch']);
  await watch.sees(/"type":"fleet".*\n.*"type":"fleet"/);
  watch.child.kill('SIGTERM');
  const ended = await watch.ended;
  expect(ended.code).toBe(0);
  expect(Number(lastOf(ended).looks)).toBeGreaterThanOrEqual(2);
});

it('kit top refuses --watch without --json, and a folder without a workspace, before it takes the terminal', async () => {
  const at = await desk();
  const alone = await world().kit(['top', at.dir, '--watch']);
  expect([alone.code, alone.stdout]).toEqual([2, '']);
  expect(alone.stderr).toContain('--json');

  const nowhere = keep(kitInTerminal(['top', `${at.dir}-not-there`], options()));
  expect(await nowhere.ended).toBe(2);
  expect(nowhere.raw()).not.toContain('\u001b[?1049h');
});
