import { format } from 'node:util';
import { Help } from '@oclif/core/help';
import { cliHostOf } from './cli-host.js';

/** The help of oclif, on the stdout of this kit. Named in package.json (`oclif.helpClass`). */
export class KitHelp extends Help {
  protected override log(...args: string[]): void {
    cliHostOf(this.config).io.stdout.write(`${format(...args)}\n`);
  }
}
