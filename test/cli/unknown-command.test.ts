import { describe, expect, it } from 'vitest';
import { unknownCommand } from '../../src/cli/unknown-command.js';

const COMMANDS = [
  { id: 'run', takesWords: true },
  { id: 'stop', takesWords: false },
  { id: 'plugins:install', takesWords: true },
  { id: 'plugins:inspect', takesWords: false },
  { id: 'skill:add', takesWords: false },
  { id: 'skill:search', takesWords: true },
  { id: 'upgrade', takesWords: false },
];

describe('a command line', () => {
  it.each([
    [[]],
    [['--help']],
    [['run']],
    [['run', 'hello', 'x']],
    [['stop', '--now', 'x']],
    [['plugins']],
    [['plugins', '--help']],
    [['plugins', 'install', 'x']],
  ])('that names a command or a topic passes: %j', (argv) => {
    expect(unknownCommand(argv, COMMANDS)).toBeNull();
  });

  it.each([
    [['rnu'], 'there is no command `kit rnu`', 'Did you mean `kit run`?'],
    [['plugin', 'install'], 'there is no command `kit plugin`', 'Did you mean `kit plugins`?'],
    [['plugins', 'instal', 'x'], 'there is no command `kit plugins instal`', 'Did you mean `kit plugins install`?'],
    [['upgrad', '--check'], 'there is no command `kit upgrad`', 'Did you mean `kit upgrade`?'],
    [['skill', 'serch', 'git'], 'there is no command `kit skill serch`', 'Did you mean `kit skill search`?'],
    [['skills', 'add'], 'there is no command `kit skills`', 'Did you mean `kit skill`?'],
    [['login', '--now'], 'there is no command `kit login`', '`kit auth login` does it.'],
    [['plugins', 'publish', 'x'], 'there is no command `kit plugins publish`', '`npm publish` does it.'],
    [['constructor'], 'there is no command `kit constructor`', 'Run `kit --help` to list the commands.'],
    [['zzzzzzzz'], 'there is no command `kit zzzzzzzz`', 'Run `kit --help` to list the commands.'],
    [['stop', 'it'], '`kit stop` takes no argument "it"', 'Run `kit stop --help`.'],
  ])('that names none is refused: %j', (argv, message, hint) => {
    expect(unknownCommand(argv, COMMANDS)).toMatchObject({ code: 'KIT_USAGE', message, hint });
  });
});
