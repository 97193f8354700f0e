import type { EndedDraft } from './draft.js';

/** How many paths are remembered: one step is reported twice in a row, if at all. */
const REMEMBERED = 1024;

/**
 * What is kept of spans that have gone already, so that those that come later fit around them:
 * agents, and steps that are under way.
 */
export interface SpanTree {
  /**
   * When something began that others hang below: not before what it hangs below itself. A second
   * time changes nothing.
   */
  begin(path: string, startMs: number, parent: string | null): void;
  /**
   * Fits a span below its parent and around what hung below it. `within`: what of its ancestors has
   * begun for certain.
   */
  settle(draft: EndedDraft, within: string): EndedDraft;
  /** How far the spans below a path reached. */
  reached(): ReadonlyMap<string, number>;
}

export function createSpanTree(): SpanTree {
  const starts = new Map<string, number>();
  const below = new Map<string, { readonly startMs: number; readonly endMs: number }>();
  const taken = new Set<string>();
  const startOf = (path: string | null): number =>
    (path === null ? undefined : starts.get(path)) ?? Number.NEGATIVE_INFINITY;
  /**
   * One step can be reported twice (a tool that is not there, and its refusal): the second has an
   * id of its own.
   */
  const distinct = (path: string, endedSeq: number): string => {
    const own = taken.has(path) ? `${path}#${endedSeq}` : path;
    taken.add(own);
    if (taken.size > REMEMBERED) for (const oldest of [...taken].slice(0, REMEMBERED / 2)) taken.delete(oldest);
    return own;
  };
  return {
    begin: (path, startMs, parent) => {
      if (!starts.has(path)) starts.set(path, Math.max(startMs, startOf(parent)));
    },
    settle: (draft, within) => {
      const inner = below.get(draft.path);
      below.delete(draft.path);
      const floorMs = Math.max(startOf(within), startOf(draft.parent));
      const startMs = Math.min(Math.max(draft.startMs, floorMs), inner?.startMs ?? Number.POSITIVE_INFINITY);
      const endMs = Math.max(draft.endMs, startMs, inner?.endMs ?? Number.NEGATIVE_INFINITY);
      const beside = below.get(draft.parent);
      below.set(draft.parent, {
        startMs: Math.min(startMs, beside?.startMs ?? startMs),
        endMs: Math.max(endMs, beside?.endMs ?? endMs),
      });
      return { ...draft, path: distinct(draft.path, draft.endedSeq), startMs, endMs };
    },
    reached: () => new Map([...below].map(([path, { endMs }]) => [path, endMs])),
  };
}
