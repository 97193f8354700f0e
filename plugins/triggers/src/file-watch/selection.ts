import { type JsonObject, KitError, messageOf } from '@kit-run/kit/plugin';
import picomatch from 'picomatch';
import { DEFAULTS } from '../generated/defaults.js';
import type { Change } from './changes.js';
import { leavesWorkspace } from './place.js';

/** What a trigger looks at. */
export interface Selection {
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
export function selectionOf(config: JsonObject): Selection {
  const { root = '.', pattern = WATCHED.pattern, events = WATCHED.events } = config;
  if (leavesWorkspace(String(root))) throw refuse(`the root \`${String(root)}\` lies outside the workspace`);
  const wanted = new Set([events].flat().map((name) => CHANGES[String(name)]));
  return { root: String(root), isMatch: matcherOf(String(pattern)), isWanted: (change) => wanted.has(change) };
}
