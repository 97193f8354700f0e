import type { RunView } from '../run-view.js';

/**
 * The agent whose activation is the longest beginning of a key, cut at a slash: what a step of it
 * hangs below. Null: there is none.
 */
export const agentAbove = (view: RunView, key: string): string | null => {
  for (const rest of prefixes(key)) if (Object.hasOwn(view.agents, rest)) return rest;
  return Object.hasOwn(view.agents, key) ? key : null;
};

/**
 * The step of a tool call within which a key lies (docs/design/journal.md#keys: `c<n>:<name>` is a
 * call of a turn), below the nearest agent; null: it lies within none. Whether the call ever tells
 * of itself is not known before it has ended.
 */
export function toolAbove(view: RunView, key: string): string | null {
  for (const rest of prefixes(key)) {
    if (Object.hasOwn(view.agents, rest)) return null;
    if (/\/c\d+:[^/]*$/.test(rest)) return rest;
  }
  return null;
}

/** `a/b/c` -> `a/b`, `a`. */
function* prefixes(key: string): Generator<string> {
  for (let cut = key.lastIndexOf('/'); cut > 0; cut = key.lastIndexOf('/', cut - 1)) yield key.slice(0, cut);
}
