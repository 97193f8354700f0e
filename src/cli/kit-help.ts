import { format } from 'node:util';
import type { Command } from '@oclif/core';
import { CommandHelp, Help } from '@oclif/core/help';
import { cliHostOf } from './cli-host.js';

type Flags = Command.Loadable['flags'];

/**
 * Flags that go together or shut each other out, each in the first group that names it: oclif shows
 * one that stands in a group already as an empty alternative (`[-i TEXT |  | ]`).
 */
function groupedOnce(flags: Flags): Flags {
  const free = new Set(Object.keys(flags).filter((name) => flags[name]?.hidden !== true));
  return Object.fromEntries(
    Object.entries(flags).map(([name, { dependsOn, exclusive, ...flag }]) => {
      const others = (named: readonly string[] = []) => named.filter((one) => one !== name && free.has(one));
      const needed = others(dependsOn);
      const group = free.has(name) ? (needed.length > 0 ? needed : others(exclusive)) : [];
      if (group.length === 0) return [name, flag];
      for (const one of [name, ...group]) free.delete(one);
      return [name, { ...flag, ...(needed.length > 0 ? { dependsOn: group } : { exclusive: group }) }];
    }),
  );
}

class KitCommandHelp extends CommandHelp {
  protected override defaultUsage(): string {
    const { command } = this;
    this.command = { ...command, flags: groupedOnce(command.flags) };
    try {
      return super.defaultUsage();
    } finally {
      this.command = command;
    }
  }
}

/** What somebody who has never used kit types first. */
const FIRST_STEPS = [
  ['kit init --template hello', 'Write a workspace that runs without a key.'],
  ['kit docs first topology', 'Find pages about these words, offline.'],
  ['kit COMMAND --help', 'Show the flags and examples of one command.'],
];

/** The help of oclif, on the stdout of this kit. Named in package.json (`oclif.helpClass`). */
export class KitHelp extends Help {
  protected override CommandHelpClass = KitCommandHelp;

  override formatRoot(): string {
    const steps = this.renderList(FIRST_STEPS, { indentation: 2, spacer: '\n', stripAnsi: this.opts.stripAnsi });
    return `${super.formatRoot()}\n\n${this.section('FIRST STEPS', steps)}`;
  }

  protected override log(...args: string[]): void {
    cliHostOf(this.config).io.stdout.write(`${format(...args)}\n`);
  }
}
