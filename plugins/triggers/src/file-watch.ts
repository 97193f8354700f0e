import { relative, resolve, sep } from 'node:path';
import {
  defineTrigger,
  isInside,
  type JsonObject,
  type PluginContext,
  type TriggerContext,
  type TriggerType,
} from '@kit-run/kit/plugin';
import { gatherChanges } from './file-watch/changes.js';
import { findPlace, type Place } from './file-watch/place.js';
import { type Selection, selectionOf } from './file-watch/selection.js';

/** kit's own state and git's change with every run: watching them would fire for ever. */
const NEVER = ['.kit', '.git'];

const slashed = (path: string): string => path.split(sep).join('/');

function ignoredIn({ workspace }: Place, stateDir: string | null): (path: string) => boolean {
  const state = stateDir === null ? null : resolve(stateDir);
  return (path) =>
    relative(workspace, path)
      .split(sep)
      .some((part) => NEVER.includes(part)) ||
    (state !== null && isInside(state, path));
}

/** One trigger that watches. */
interface Watching {
  readonly selection: Selection;
  readonly place: Place;
  readonly plugin: PluginContext;
}

async function watchFiles(
  { selection, place, plugin }: Watching,
  { signal, fire, triggerId }: TriggerContext,
): Promise<void> {
  const { watch } = await import('chokidar');
  const note = gatherChanges(plugin, {
    signal,
    onChange: (path, event) => {
      if (selection.isWanted(event))
        void fire({ input: { path: slashed(relative(place.workspace, path)), event }, occurrence: null });
    },
  });
  const noteMatch = (path: string, change: Parameters<typeof note>[1]): void => {
    if (selection.isMatch(slashed(relative(place.root, path)))) note(path, change);
  };
  const watcher = watch(place.root, {
    ignoreInitial: true,
    followSymlinks: false, // a link inside may lead out of the workspace
    atomic: false, // a replaced file is told apart below, by the same clock as everything else
    ignored: ignoredIn(place, plugin.secrets.env('KIT_STATE_DIR')),
  });
  signal.addEventListener('abort', () => void watcher.close(), { once: true });
  await new Promise<void>((ready, fail) => {
    watcher
      .on('add', (path) => noteMatch(path, 'create'))
      .on('change', (path) => noteMatch(path, 'modify'))
      .on('unlink', (path) => noteMatch(path, 'delete'))
      .on('ready', ready)
      .on('error', (error) => {
        plugin.log.error('a file_watch trigger cannot watch', { trigger: triggerId, error: String(error) });
        fail(error);
      });
    signal.addEventListener('abort', () => ready(), { once: true });
  });
}

function create(config: JsonObject, plugin: PluginContext): TriggerType {
  const selection = selectionOf(config);
  return {
    ready: async ({ workspaceRoot }) => {
      const found = await findPlace(workspaceRoot, selection.root);
      return found.ok ? null : found.reason;
    },
    start: async (context) => {
      const found = await findPlace(context.workspaceRoot, selection.root);
      if (!found.ok) throw new Error(found.reason);
      await watchFiles({ selection, place: found.place, plugin }, context);
    },
  };
}

/**
 * Trigger type `file_watch`. The input of a run is `{ path, event }`, the path relative to the
 * workspace.
 */
export const contribution = defineTrigger({ create });
