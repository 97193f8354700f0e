import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describeError, type Problem } from '../../cli/problem.js';
import { KitError, messageOf } from '../../domain/errors.js';
import { type PluginPlace, packageOfStack, pluginOfStack } from '../../host/plugin-of-stack.js';
import type { LoadedPlugins } from '../discovery/plugins.js';
import type { Crash } from './crash-guard.js';

/** What is executed here gets this long to be handed back. */
const LEAVE_MS = 15_000;

/** Where the code of each plugin lies. */
export const placesOf = ({ candidates }: Pick<LoadedPlugins, 'candidates'>): readonly PluginPlace[] =>
  candidates.flatMap(({ name, root, origin }) => {
    try {
      return [{ name, root: realpathSync(root), isBundled: origin === 'bundled' }];
    } catch {
      return []; // it is gone meanwhile
    }
  });

function saidOf({ what }: Crash): string {
  switch (what.kind) {
    case 'thrown':
      return `nobody caught its error: ${messageOf(what.error)}`;
    case 'exit':
      return `it called process.exit(${what.code})`;
    default:
      return what satisfies never;
  }
}

/** A crash as CLI and HTTP show an error: KIT_PLUGIN_CRASHED, where a plugin is known. */
export function problemOfCrash(crash: Crash, plugins: Pick<LoadedPlugins, 'candidates' | 'dataDir'>): Problem {
  const dependency = (): string | null => {
    const name = packageOfStack(crash.stack, join(plugins.dataDir, 'node_modules'));
    return name === null ? null : `${name}, on which a plugin stands,`;
  };
  const plugin = pluginOfStack(crash.stack, placesOf(plugins)) ?? crash.plugin ?? dependency();
  const cause = crash.what.kind === 'thrown' ? crash.what.error : undefined;
  if (plugin === null) return describeError(cause);
  return describeError(
    new KitError('KIT_PLUGIN_CRASHED', `${plugin} ended this process: ${saidOf(crash)}`, {
      data: { plugin },
      ...(cause === undefined ? {} : { cause }),
    }),
  );
}

/** Tells of a crash, then hands back what this process executes; for a bounded time. */
export async function endCrashed(
  crash: Crash,
  parts: {
    readonly plugins: Pick<LoadedPlugins, 'candidates' | 'dataDir'>;
    readonly show: (problem: Problem) => void;
    readonly leave: () => Promise<void>;
  },
): Promise<void> {
  parts.show(problemOfCrash(crash, parts.plugins));
  const late = new AbortController();
  await Promise.race([
    parts.leave().catch(() => undefined),
    sleep(LEAVE_MS, undefined, { signal: late.signal }).catch(() => undefined),
  ]);
  late.abort();
}
