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

/** The help of oclif, on the stdout of this kit. Named in package.json (`oclif.helpClass`). */
export class KitHelp extends Help {
  protected override CommandHelpClass = KitCommandHelp;

  protected override log(...args: string[]): void {
    cliHostOf(this.config).io.stdout.write(`${format(...args)}\n`);
  }
}
