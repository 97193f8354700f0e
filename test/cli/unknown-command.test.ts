import { describe, expect, it } from 'vitest';
import { unknownCommand } from '../../src/cli/unknown-command.js';

const COMMANDS = [
  { id: 'run', takesWords: true },
  { id: 'stop', takesWords: false },
  { id: 'plugins:install', takesWords: true },
  { id: 'plugins:inspect', takesWords: false },
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
    [['upgrade', '--check'], 'there is no command `kit upgrade`', '`kit upgrade` comes with a later release of kit.'],
    [['skill', 'add'], 'there is no command `kit skill`', '`kit skill` comes with a later release of kit.'],
    [['zzzzzzzz'], 'there is no command `kit zzzzzzzz`', 'Run `kit --help` to list the commands.'],
    [['stop', 'it'], '`kit stop` takes no argument "it"', 'Run `kit stop --help`.'],
  ])('that names none is refused: %j', (argv, message, hint) => {
    expect(unknownCommand(argv, COMMANDS)).toMatchObject({ code: 'KIT_USAGE', message, hint });
  });
});
