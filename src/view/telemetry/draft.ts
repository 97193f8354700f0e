import type { SpanSubject } from '../../domain/ports/run-trace.js';

/** A span by its path within the run; ids and bounds come once all are known. */
export interface SpanDraft {
  readonly path: string;
  /** Null: the root. */
  readonly parent: string | null;
  readonly startMs: number;
  /** Null: it has not ended. */
  readonly endMs: number | null;
  /** Number of the event with which it ended; null: it has not. */
  readonly endedSeq: number | null;
  readonly error: string | null;
  readonly of: SpanSubject;
}

/** A draft of what is over. */
export type EndedDraft = SpanDraft & { readonly parent: string; readonly endMs: number; readonly endedSeq: number };

/**
 * Children within their parents, although several machines with clocks of their own wrote the
 * times: nothing begins before its parent, and a parent lasts as long as what is known below it.
 * `reached`: how far what is not among the drafts reached, by the path above it.
 */
export function fitted(drafts: readonly SpanDraft[], reached: ReadonlyMap<string, number>): readonly SpanDraft[] {
  const byPath = new Map(drafts.map((draft) => [draft.path, draft]));
  const starts = new Map<string, number>();
  const startOf = (draft: SpanDraft): number => {
    const known = starts.get(draft.path);
    if (known !== undefined) return known;
    const above = draft.parent === null ? undefined : byPath.get(draft.parent);
    const startMs = above === undefined ? draft.startMs : Math.max(draft.startMs, startOf(above));
    starts.set(draft.path, startMs);
    return startMs;
  };
  const ends = new Map<string, number>();
  const reach = (path: string | null, endMs: number): void => {
    const above = path === null ? undefined : byPath.get(path);
    if (above === undefined || (ends.get(above.path) ?? Number.NEGATIVE_INFINITY) >= endMs) return;
    ends.set(above.path, endMs);
    reach(above.parent, endMs);
  };
  for (const [path, endMs] of reached) reach(path, endMs);
  for (const draft of drafts) if (draft.endMs !== null) reach(draft.path, Math.max(draft.endMs, startOf(draft)));
  return drafts.map((draft) => ({
    ...draft,
    startMs: startOf(draft),
    endMs: draft.endMs === null ? null : (ends.get(draft.path) ?? draft.endMs),
  }));
}
