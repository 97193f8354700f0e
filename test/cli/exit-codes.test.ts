import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type KitHome, type KitResult, makeHome, runKit, runKitHere } from '../support/kit-process.js';
import { writePlugin } from '../support/plugin-package.js';

/** One command that ends in every way a command can end. */
const ending = `
import { Flags, KitCommand, KitError } from '@kit-run/kit/command';
export class Ending extends KitCommand {
  static flags = { way: Flags.string({ required: true }), survive: Flags.boolean() };
  async run() {
    const { flags } = await this.parse(Ending);
    if (flags.survive) this.stdout.goOnWithout();
    if (flags.way === 'failed') throw new KitError('KIT_LEASE_LOST', 'no such run', { data: { id: 'abc' } });
    if (flags.way === 'thrown') throw new Error('a bug');
    if (flags.way === 'refused') throw new KitError('KIT_USAGE', 'not like this', { hint: 'Like that.' });
    if (flags.way === 'parked') this.exitWith(3);
    if (flags.way === 'stopped') this.exitWith(4);
    if (flags.way === 'interrupted') this.exitWith(130);
    if (flags.way === 'silent') return undefined;
    if (flags.way === 'warned') this.warn('take care');
    this.log('way: ' + flags.way);
    for (let i = 0; flags.survive && i < 5; i++) await new Promise((resolve) => setTimeout(resolve, 5));
    return { way: flags.way };
  }
}
`;

let home: KitHome;
beforeAll(async () => {
  home = await makeHome();
  const root = await writePlugin(home.path, { name: '@acme/kit-plugin-ending', commands: { ending } });
  const linked = await runKit(['plugins', 'link', root, '--yes'], { env: home.env });
  if (linked.code !== 0) throw new Error(linked.stderr);
});
afterAll(() => home.remove());

const kit = (
  argv: readonly string[],
  more: { readonly isStdoutClosed?: boolean; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<KitResult> => runKit(argv, { ...more, env: { ...home.env, ...more.env } });
/** The same in the process of the test. */
const here = (argv: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<KitResult> =>
  runKitHere(argv, { env: { ...home.env, ...env } });
const last = (result: KitResult): Record<string, unknown> => result.lines().at(-1)!;

const RESULTS = [
  { way: 'done', exit: 0 },
  { way: 'parked', exit: 3 },
  { way: 'stopped', exit: 4 },
  { way: 'interrupted', exit: 130 },
];
const ERRORS = [
  { way: 'failed', exit: 1, code: 'KIT_LEASE_LOST' },
  { way: 'thrown', exit: 1, code: 'KIT_INTERNAL' },
  { way: 'refused', exit: 2, code: 'KIT_USAGE' },
];

describe.each(RESULTS)('a command that ends $way', ({ way, exit }) => {
  it(`exits ${exit} and prints its text`, async () => {
    const result = await kit(['ending', '--way', way]);

    expect(result).toMatchObject({ code: exit, stdout: `way: ${way}\n`, stderr: '' });
  });

  it(`exits ${exit} with --json and its last line is the result`, async () => {
    const result = await here(['ending', '--way', way, '--json']);

    expect(result).toMatchObject({ code: exit, stderr: '' });
    expect(last(result)).toEqual({ type: 'result', way });
  });

  it.each([[], ['--json']])('ends quietly with 0 when stdout is closed %s', async (...flags) => {
    const result = await kit(['ending', '--way', way, ...flags], { isStdoutClosed: true });

    expect(result).toMatchObject({ code: 0, stderr: '' });
  });
});

describe.each(ERRORS)('a command that ends $way', ({ way, exit, code }) => {
  it(`exits ${exit} and says on stderr what to do`, async () => {
    const result = await kit(['ending', '--way', way]);

    expect(result).toMatchObject({ code: exit, stdout: '' });
    expect(result.stderr).toMatch(new RegExp(`^error\\[${code}\\]: .+\n {2}hint: .+\n$`));
  });

  it(`exits ${exit} with --json, the last line is the error, and stderr is empty`, async () => {
    const result = await here(['ending', '--way', way, '--json']);

    expect(result).toMatchObject({ code: exit, stderr: '' });
    expect(last(result)).toMatchObject({
      type: 'error',
      code,
      exit,
      message: expect.any(String),
      hint: expect.any(String),
    });
    expect(result.stdout).not.toContain('--way');
  });

  it(`exits ${exit} with stdout closed, for nothing was written to it`, async () => {
    expect((await kit(['ending', '--way', way], { isStdoutClosed: true })).code).toBe(exit);
  });

  it('ends quietly with 0 when stdout is closed under --json', async () => {
    expect(await kit(['ending', '--way', way, '--json'], { isStdoutClosed: true })).toMatchObject({
      code: 0,
      stderr: '',
    });
  });
});

describe('the application', () => {
  it('writes a last line under --json also for a result of nothing', async () => {
    expect(last(await here(['ending', '--way', 'silent', '--json']))).toEqual({ type: 'result', value: null });
  });

  it('says a warning of a command on stderr, and nothing of it under --json', async () => {
    expect(await here(['ending', '--way', 'warned'])).toMatchObject({ code: 0, stderr: 'warning: take care\n' });
    expect(await here(['ending', '--way', 'warned', '--json'])).toMatchObject({ code: 0, stderr: '' });
  });

  it('lets a command go on without a reader of stdout and keeps its exit code', async () => {
    expect(await kit(['ending', '--way', 'stopped', '--survive'], { isStdoutClosed: true })).toMatchObject({
      code: 4,
      stderr: '',
    });
  });

  it('shows the stack with KIT_VERBOSE alone', async () => {
    const quiet = await here(['ending', '--way', 'thrown']);
    const verbose = await here(['ending', '--way', 'thrown'], { KIT_VERBOSE: '1' });

    expect(quiet.stderr).not.toContain(' at ');
    expect(verbose.stderr).toContain('ending.js');
  });

  it.each([
    ['an unknown command', ['nope']],
    ['an unknown word below a topic', ['plugins', 'nope']],
    ['a word that the command does not take', ['ending', 'extra', '--way', 'done']],
    ['an unknown flag', ['ending', '--nope', '--way', 'done']],
    ['a missing flag', ['ending']],
  ])('refuses %s with exit 2, plain and under --json', async (_name, argv) => {
    const plain = await here(argv);
    const json = await here([...argv, '--json']);

    expect(plain).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('error[KIT_USAGE]') });
    expect(json).toMatchObject({ code: 2, stderr: '' });
    expect(last(json)).toMatchObject({ type: 'error', code: 'KIT_USAGE', exit: 2 });
  });

  it('asks whether a misspelt command was meant', async () => {
    expect((await here(['plugins', 'inspct'])).stderr).toContain('Did you mean `kit plugins inspect`?');
  });

  it('prints help and exits 0 when it is given nothing', async () => {
    const result = await here([]);

    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toContain('$ kit [COMMAND]');
  });
});
