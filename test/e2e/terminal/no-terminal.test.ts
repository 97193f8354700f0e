import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { STYLES, terminalTests } from './terminals.js';

const { team, world } = terminalTests();

/** The live tree hides the cursor; lines never do. */
const HIDE_CURSOR = '\u001b[?25l';

describe('without a terminal on stdin', () => {
  it('the tree is drawn all the same, no key is read, and Ctrl-C comes as a signal', async () => {
    const { server, shell } = await team(2);
    const terminal = shell('$RUN < /dev/null');
    await expect.poll(() => server.waiting().length).toBe(2);
    await terminal.sees(/waits for 2 agents/);
    // The line discipline turns the byte into SIGINT, because nobody asked for raw keys.
    terminal.type('\u0003');
    // Nobody answers the calls in flight.
    await terminal.ended;

    expect(terminal.all().join('\n')).toMatch(/stopped: .*run [0-9a-f]{12} of team/);
  });
});

describe('without a terminal on stdout', () => {
  it('a file gets the result alone, and the terminal a line for each event', async () => {
    const { server, shell } = await team(2);
    const terminal = shell(`$RUN > ${join(world().base, 'result.txt')}; echo "exit=$?"`);
    await expect.poll(() => server.waiting().length).toBe(2);
    await terminal.sees(/member-2 +started/);
    server.releaseAll();
    await terminal.ended;

    expect(readFileSync(join(world().base, 'result.txt'), 'utf8')).toBe('the team is done\n');
    expect(terminal.raw()).not.toContain(HIDE_CURSOR);
    expect(terminal.all()).toContain('exit=0');
  });
});

describe('without a terminal on stderr', () => {
  it('the file gets lines without an escape sequence, and the terminal the result alone', async () => {
    const { server, shell } = await team(2);
    const terminal = shell(`$RUN 2> ${join(world().base, 'lines.txt')}`);
    await expect.poll(() => server.waiting().length).toBe(2);
    server.releaseAll();
    await terminal.ended;

    expect(terminal.all().filter((line) => line !== '')).toEqual(['the team is done']);
    const lines = readFileSync(join(world().base, 'lines.txt'), 'utf8');
    expect(lines).toMatch(/^member-1 +started$/m);
    expect(lines).not.toContain('\u001b');
  });
});

describe('without any terminal', () => {
  it.each([{ flags: [] }, { flags: ['--verbose'] }, { flags: ['--json'] }, { flags: ['--quiet'] }])(
    'not one escape sequence is written ($flags)',
    async ({ flags }) => {
      const { server, dir, env } = await team(2);
      server.releaseAll();

      const result = await world().kit(['run', dir, 'team', '--input', 'hi', ...flags], { env });

      expect(result.code).toBe(0);
      expect(result.stdout + result.stderr).toContain('the team is done');
      expect(result.stdout + result.stderr).not.toContain('\u001b');
    },
  );
});

describe.each([
  { what: 'CI is set', env: { CI: '1' }, flags: [] },
  { what: 'TERM is dumb', env: { TERM: 'dumb' }, flags: [] },
  { what: '--json is given', env: {}, flags: ['--json'] },
  { what: '--quiet is given', env: {}, flags: ['--quiet'] },
  { what: 'KIT_QUIET is set', env: { KIT_QUIET: '1' }, flags: [] },
])('on a terminal where $what', ({ env, flags }) => {
  it('there is no live tree: nothing is drawn over', async () => {
    const { server, run } = await team(2);
    server.releaseAll();
    const terminal = run(flags, { env });

    expect(await terminal.ended).toBe(0);
    expect(terminal.raw()).toContain('the team is done');
    expect(terminal.raw()).not.toContain(HIDE_CURSOR);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences are what is looked for
    expect(terminal.raw()).not.toMatch(/\u001b\[\d*[A-HJK]/);
  });
});

describe('colour', () => {
  it.each([
    { what: 'with NO_COLOR', env: { NO_COLOR: '1' }, flags: [], hasStyles: false },
    { what: 'with --no-color', env: {}, flags: ['--no-color'], hasStyles: false },
    { what: 'with --color, which beats NO_COLOR,', env: { NO_COLOR: '1' }, flags: ['--color'], hasStyles: true },
    { what: 'by default', env: {}, flags: [], hasStyles: true },
  ])('$what is used: $hasStyles, and the words say the same', async ({ env, flags, hasStyles }) => {
    const { server, run } = await team(2);
    server.reply('member-1', { do: 'status', status: 400, message: 'no such model' });
    server.releaseAll();
    const terminal = run(flags, { env });

    expect(await terminal.ended).toBe(1);
    expect(terminal.raw()).toContain(HIDE_CURSOR);
    expect(STYLES.test(terminal.raw())).toBe(hasStyles);
    expect(terminal.all().join('\n')).toMatch(/✗ member-1 +failed: provider\.bad_request/);
  });
});
