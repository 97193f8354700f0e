import { relative, resolve, sep } from 'node:path';
import {
  defineTrigger,
  elapsedMs,
  isInside,
  type JsonObject,
  KitError,
  messageOf,
  type PluginContext,
  type TriggerContext,
  type TriggerType,
} from '@kit-run/kit/plugin';
import picomatch from 'picomatch';
import { findPlace, leavesWorkspace, type Place } from './file-watch/place.js';
import { DEFAULTS } from './generated/defaults.js';

/** What happened to a file. */
type Change = 'create' | 'modify' | 'delete';

/**
 * A file is reported when nothing has happened to it for this long
 * (docs/design/decisions.md#watched-files).
 */
const QUIET_MS = 1000;
/** A file that never rests is reported all the same. */
const LONGEST_MS = 10_000;

interface Pending {
  readonly existedBefore: boolean;
  existsNow: boolean;
  readonly firstMs: number;
  lastMs: number;
}

/**
 * What several changes come to; null = nothing (a file that came and went). A file that was
 * replaced by a rename is modified.
 */
function netOf({ existedBefore, existsNow }: Pick<Pending, 'existedBefore' | 'existsNow'>): Change | null {
  if (existsNow) return existedBefore ? 'modify' : 'create';
  return existedBefore ? 'delete' : null;
}

/** Gathers what happens to each file until it rests, and reports it once. */
function gatherChanges(
  { clock }: Pick<PluginContext, 'clock'>,
  to: { readonly signal: AbortSignal; readonly onChange: (path: string, change: Change) => void },
): (path: string, change: Change) => void {
  const pending = new Map<string, Pending>();
  const dueOf = ({ firstMs, lastMs }: Pending): number => Math.min(lastMs + QUIET_MS, firstMs + LONGEST_MS);
  const settle = async (path: string, one: Pending): Promise<void> => {
    for (let leftMs = dueOf(one) - elapsedMs(clock); leftMs > 0; leftMs = dueOf(one) - elapsedMs(clock))
      await clock.sleep(leftMs, to.signal);
    pending.delete(path);
    const net = netOf(one);
    if (net !== null && !to.signal.aborted) to.onChange(path, net);
  };
  return (path, change) => {
    const nowMs = elapsedMs(clock);
    const known = pending.get(path);
    if (known !== undefined) {
      known.existsNow = change !== 'delete';
      known.lastMs = nowMs;
      return;
    }
    const one: Pending = {
      existedBefore: change !== 'create',
      existsNow: change !== 'delete',
      firstMs: nowMs,
      lastMs: nowMs,
    };
    pending.set(path, one);
    settle(path, one).catch(() => pending.delete(path)); // the signal: the trigger stops
  };
}

/** What a trigger looks at. */
interface Selection {
  /** Relative to the workspace. */
  readonly root: string;
  /** Path below the root, with `/`. */
  readonly isMatch: (path: string) => boolean;
  readonly isWanted: (change: Change) => boolean;
}

const WATCHED = DEFAULTS['file-watch'];

const CHANGES: Readonly<Record<string, Change>> = {
  create: 'create',
  created: 'create',
  modify: 'modify',
  modified: 'modify',
  delete: 'delete',
  deleted: 'delete',
};

const refuse = (sentence: string): KitError => new KitError('KIT_PLUGIN_CONFIG_INVALID', sentence);

function matcherOf(pattern: string): (path: string) => boolean {
  const below = pattern.replace(/^\.\//, '');
  if (below.startsWith('/') || below.split('/').includes('..'))
    throw refuse(`the pattern \`${pattern}\` fits nothing below the root; leave out / and ..`);
  try {
    return picomatch(below, { strictBrackets: true });
  } catch (error) {
    throw refuse(`the pattern \`${pattern}\` is not a glob: ${messageOf(error)}`);
  }
}

/**
 * From a configuration that its schema has checked. Throws KIT_PLUGIN_CONFIG_INVALID for what can
 * never fit.
 */
function selectionOf(config: JsonObject): Selection {
  const { root = '.', pattern = WATCHED.pattern, events = WATCHED.events } = config;
  if (leavesWorkspace(String(root))) throw refuse(`the root \`${String(root)}\` lies outside the workspace`);
  const wanted = new Set([events].flat().map((name) => CHANGES[String(name)]));
  return { root: String(root), isMatch: matcherOf(String(pattern)), isWanted: (change) => wanted.has(change) };
}

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
