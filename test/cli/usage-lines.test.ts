import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Command, Config } from '@oclif/core';
import { beforeAll, expect, it } from 'vitest';
import { KitHelp } from '../../src/cli/kit-help.js';
import { projectRoot } from '../support/kit-process.js';

/** The usage of each command, as its help prints it, in one line. */
let usages: ReadonlyMap<string, string>;

class Shown extends KitHelp {
  usageOf(command: Command.Cached): string {
    const [, usage = ''] =
      /USAGE\n([\s\S]*?)(?:\n\n|$)/.exec(
        this.formatCommand({ ...command, load: () => Promise.reject(new Error('nothing runs')) }),
      ) ?? [];
    return usage.replaceAll(/\s+/g, ' ').trim();
  }
}

/** Of every manifest that the build wrote. */
const commands = (): readonly Command.Cached[] =>
  globSync('plugins/*/oclif.manifest.json', { cwd: projectRoot }).flatMap((path) => {
    const { commands: listed } = JSON.parse(readFileSync(join(projectRoot, path), 'utf8')) as {
      readonly commands: Readonly<Record<string, Command.Cached>>;
    };
    return Object.values(listed).filter(({ hidden }) => hidden !== true);
  });

beforeAll(async () => {
  const config = await Config.load(projectRoot);
  const help = new Shown(config, { maxWidth: 4000, stripAnsi: true });
  usages = new Map(commands().map((one) => [one.id, help.usageOf(one)]));
});

it('name every flag once, without an empty alternative', () => {
  expect(usages.size).toBeGreaterThan(100);
  expect([...usages].filter(([, usage]) => !usage.startsWith('$ kit '))).toEqual([]);
  expect([...usages].filter(([, usage]) => /[[(|]\s*[\])|]/.test(usage))).toEqual([]);
  const twice = [...usages].filter(([, usage]) => {
    const flags = usage.match(/(?<![\w-])--?[a-z][\w-]*/g) ?? [];
    return new Set(flags).size < flags.length;
  });
  expect(twice).toEqual([]);
});

it('show what shuts each other out side by side', () => {
  expect(usages.get('new:trigger')).toContain('[--schedule CRON | --webhook | --watch GLOB]');
  expect(usages.get('new:trigger')).toContain('[-i TEXT]');
});
