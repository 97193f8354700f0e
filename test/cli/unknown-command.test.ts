import { describe, expect, it } from 'vitest';
import { unknownCommand } from '../../src/cli/unknown-command.js';

const COMMANDS = [
  { id: 'run', maxWords: 2 },
  { id: 'stop', maxWords: 0 },
  { id: 'plugins:install', maxWords: 1 },
  { id: 'plugins:inspect', maxWords: 0 },
  { id: 'skill:add', maxWords: 0 },
  { id: 'skill:search', maxWords: 1 },
  { id: 'upgrade', maxWords: 0 },
  { id: 'review', maxWords: 1 },
  { id: 'review:approve', maxWords: 2 },
  { id: 'review:changes', maxWords: 2 },
];

describe('a command line', () => {
  it.each([
    [[]],
    [['--help']],
    [['-h']],
    [['review', 'team']],
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
    [['aprove', '4f2a'], 'there is no command `kit aprove`', '`kit review approve` does it.'],
    [['login', '--now'], 'there is no command `kit login`', '`kit auth login` does it.'],
    [['audit'], 'there is no command `kit audit`', '`kit doctor --full` does it.'],
    [['restore', 'x'], 'there is no command `kit restore`', '`kit docs back-up-and-restore` does it.'],
    [['plugins', 'publish', 'x'], 'there is no command `kit plugins publish`', '`npm publish` does it.'],
    [['inspect', 'x'], 'there is no command `kit inspect`', 'Did you mean `kit plugins inspect`?'],
    [['whoami'], 'there is no command `kit whoami`', '`kit auth status` does it.'],
    [['constructor'], 'there is no command `kit constructor`', 'Run `kit --help` to list the commands.'],
    [['zzzzzzzz'], 'there is no command `kit zzzzzzzz`', 'Run `kit --help` to list the commands.'],
    [['review', 'aprove', '4f2a'], 'there is no command `kit review aprove`', 'Did you mean `kit review approve`?'],
    [
      ['review', 'request-changes', '4f2a', '--comment', 'x'],
      'there is no command `kit review request-changes`',
      '`kit review changes` does it.',
    ],
    // `changes` would end the round.
    [
      ['review', 'comment', '4f2a', '-m', 'hm'],
      'there is no command `kit review comment`',
      'A comment goes with a decision: kit review approve RUN -m TEXT',
    ],
    [['plugins', 'create'], 'there is no command `kit plugins create`', '`kit plugins new` does it.'],
    [
      ['plugins', 'zzzzzz'],
      'there is no command `kit plugins zzzzzz`',
      'Run `kit plugins --help` to list the commands.',
    ],
    [['plugins:install', 'x'], 'there is no command `kit plugins:install`', 'Did you mean `kit plugins install`?'],
    [['plugins:instal', 'x'], 'there is no command `kit plugins instal`', 'Did you mean `kit plugins install`?'],
    [
      ['-w', 'my team', 'run', 'hello'],
      '-w stands before the command, and flags stand behind it',
      "Run `kit run hello -w 'my team'`.",
    ],
    [
      ['--fast'],
      '--fast stands before the command, and flags stand behind it',
      'Run `kit --help` to list the commands.',
    ],
    [['stop', 'it'], '`kit stop` takes no argument "it"', 'Run `kit stop --help`.'],
  ])('that names none is refused: %j', (argv, message, hint) => {
    expect(unknownCommand(argv, COMMANDS)).toMatchObject({ code: 'KIT_USAGE', message, hint });
  });
});
