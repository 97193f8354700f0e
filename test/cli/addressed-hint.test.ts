import { expect, it } from 'vitest';
import { addressedHint } from '../../src/cli/addressed-hint.js';

it.each([
  ['Run `kit validate` and fix what it lists.', 'Run `kit validate -w ./team` and fix what it lists.'],
  ['Run `kit review show x-1` or `kit status`.', 'Run `kit review show x-1 -w ./team` or `kit status -w ./team`.'],
  [
    'ann can: kit review resolve x-1 --as ann --approve',
    'ann can: kit review resolve x-1 --as ann --approve -w ./team',
  ],
])('aims the commands of a hint at the workspace that was named: %s', (hint, expected) => {
  expect(addressedHint(hint, './team')).toBe(expected);
  expect(addressedHint(hint, null)).toBe(hint);
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

it('quotes the name for a shell', () => {
  expect(addressedHint('Run `kit status`.', "a b's")).toBe(`Run \`kit status -w 'a b'\\''s'\`.`);
});
