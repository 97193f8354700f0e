import { expect, it } from 'vitest';
import { addressedHint, addressedProblem } from '../../src/cli/addressed-hint.js';

const SHELL = { inherited: 'https://kit.test' };
const PROBLEM = { code: 'KIT_USAGE', message: 'no item', exit: 2, data: {}, trace: '', silent: false } as const;

it.each([
  ['Run `kit validate` and fix what it lists.', 'Run `kit validate -w ./team` and fix what it lists.'],
  ['Run `kit review show x-1` or `kit status`.', 'Run `kit review show x-1 -w ./team` or `kit status -w ./team`.'],
  [
    'ann can: kit review resolve x-1 --as ann --approve',
    'ann can: kit review resolve x-1 --as ann --approve -w ./team',
  ],
])('aims the commands of a hint at the workspace that was named: %s', (hint, expected) => {
  expect(addressedHint(hint, './team')).toBe(expected);
  expect(addressedHint(hint, '')).toBe(hint);
});

it.each([
  'Give the directory that holds workspace.yaml, or make one: `kit init --template empty --yes`.',
  'Run `kit plugins inspect`.',
  'Run `kit validate --help` to list its flags.',
  'Run `kit validate ./team`.',
  'Go on with `kit run ./team talk --resume=1`.',
  'Run the command with --help.',
])('leaves alone what looks into no workspace or names it already: %s', (hint) => {
  expect(addressedHint(hint, './team')).toBe(hint);
});

it('names nobody at a server, which knows who asks', () => {
  const server = 'https://kit.test';

  expect(addressedHint('grace can: kit review resolve x-1 --as grace --approve', server)).toBe(
    'grace can, signed in there: kit review resolve x-1 --approve -w https://kit.test',
  );
  expect(addressedHint('Run `kit review approve x-1 --as <identity>`.', server)).toBe(
    'Run `kit review approve x-1 -w https://kit.test`.',
  );
  expect(addressedHint('Run `kit review approve x-1 --as <identity>`.', SHELL)).toBe('Run `kit review approve x-1`.');
  expect(addressedHint('Run `kit status`.', SHELL)).toBe('Run `kit status`.');
});

it.each([
  [['--server', 'https://kit.test'], 'Run `kit review list -w https://kit.test`.'],
  [['x-1', '--server=https://kit.test', '--nonsense'], 'Run `kit review list -w https://kit.test`.'],
  [['-w', 'https://kit.test'], 'Run `kit review list -w https://kit.test`.'],
  [['--input', 'https://kit.test'], 'Run `kit review list`.'],
  [['-w', './team'], 'Run `kit review list`.'],
  [['--server'], 'Run `kit review list`.'],
])('names the server of a command line that was refused before it was read: %j', (argv, expected) => {
  const problem = { ...PROBLEM, hint: 'Run `kit review list`.' };

  expect(addressedProblem(problem, { place: '', argv, own: {} }).hint).toBe(expected);
  expect(addressedProblem(problem, { place: '', argv, own: { server: {} } }).hint).toBe('Run `kit review list`.');
  expect(addressedProblem({ ...problem, code: 'KIT_REMOTE_UNSUPPORTED' }, { place: '', argv, own: {} }).hint).toBe(
    'Run `kit review list`.',
  );
});

it('quotes the name for a shell', () => {
  expect(addressedHint('Run `kit status`.', "a b's")).toBe(`Run \`kit status -w 'a b'\\''s'\`.`);
});
