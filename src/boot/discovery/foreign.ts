import { stat } from 'node:fs/promises';
import type { Command, Plugin } from '@oclif/core';
import { KitError, messageOf } from '../../domain/errors.js';
import { droppedOf, readCommandManifest } from '../../host/package-facts.js';
import type { PluginCandidate, PluginProblem } from '../../host/registration.js';
import { takeCommands } from '../../host/take-commands.js';
import type { UserPlugin } from '../../host/user-plugins.js';
import { loadAt, type PluginPjson, readPjson } from './load-at.js';

/**
 * A foreign plugin after everything that kit does not take was removed; `plugin` null = refused.
 */
export interface ForeignPlugin {
  readonly plugin: Plugin | null;
  readonly candidate: PluginCandidate;
}

/** What the check of a command needs before its module is imported. */
export type ForeignGuard = (plugin: { readonly name: string; readonly root: string }, file: string) => Promise<void>;

/** Commands and nothing else: of `oclif` only what finds them. */
const commandsOnly = (pjson: PluginPjson): PluginPjson => ({
  ...pjson,
  oclif: pjson.oclif?.commands === undefined ? {} : { commands: pjson.oclif.commands },
});

function guardCommand(command: Command.Loadable, plugin: Plugin, guard: ForeignGuard): Command.Loadable {
  const load = command.load.bind(command);
  const file = command.relativePath?.join('/') ?? '';
  return {
    ...command,
    load: async () => {
      await guard(plugin, file);
      try {
        return await load();
      } catch (cause) {
        throw new KitError(
          'KIT_PLUGIN_LOAD_FAILED',
          `the command \`${command.id}\` of ${plugin.name} could not be imported: ${messageOf(cause)}`,
          { cause },
        );
      }
    },
  };
}

async function whyUnreadable(root: string, error: unknown): Promise<string> {
  if ((await stat(root).catch(() => null)) === null) return `its directory ${root} is gone`;
  return `it cannot be read: ${messageOf(error)}`;
}

/**
 * Loads one foreign plugin without importing a module of it; every reason against it ends in its
 * candidate.
 */
export async function loadForeign(
  entry: UserPlugin,
  checks: {
    readonly taken: ReadonlySet<string>;
    readonly bundledNames: ReadonlySet<string>;
    readonly guard: ForeignGuard;
  },
): Promise<ForeignPlugin> {
  const origin = entry.type === 'link' ? 'linked' : 'user';
  const base = {
    name: entry.name,
    version: '',
    origin,
    root: entry.root,
    kitKey: undefined,
    commands: [],
    dropped: [],
  } as const;
  const refuse = (candidate: PluginCandidate, problem: PluginProblem): ForeignPlugin => ({
    plugin: null,
    candidate: { ...candidate, problem },
  });
  let pjson: PluginPjson;
  try {
    pjson = await readPjson(entry.root);
  } catch (error) {
    return refuse(base, {
      code: 'KIT_PLUGIN_LOAD_FAILED',
      message: await whyUnreadable(entry.root, error),
    });
  }
  const candidate: PluginCandidate = { ...base, version: pjson.version, kitKey: pjson.kit, dropped: droppedOf(pjson) };
  if (checks.bundledNames.has(pjson.name))
    return refuse(candidate, {
      code: 'KIT_PLUGIN_DUPLICATE_ID',
      message: `${pjson.name} is the name of a bundled plugin`,
    });
  const { registerPlugin } = await import('../../host/registration.js');
  const registration = registerPlugin(candidate);
  if (!registration.ok) return refuse(candidate, registration.problem);
  const manifest = await readCommandManifest(entry.root, pjson);
  if (!manifest.ok) return refuse(candidate, manifest.problem);

  const plugin = await loadAt(entry.root, commandsOnly(pjson), entry.type);
  const { commands, dropped } = takeCommands(plugin.commands, checks.taken);
  plugin.commands = commands.map((command) => guardCommand(command, plugin, checks.guard));
  return {
    plugin,
    candidate: { ...candidate, commands: commands.map(({ id }) => id), dropped: [...candidate.dropped, ...dropped] },
  };
}
