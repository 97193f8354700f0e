import type { ToolFacts } from './tool-facts.js';
import type { ToolValue } from './tool-result.js';

/**
 * Answers of tools that only read, for one pass over a run's journal: what was asked before with
 * the same arguments is not asked again. Any call that may have changed something on a server takes
 * its answers away. A resume starts with an empty one: what was recorded needs none.
 *
 * At most `MAX_CHARS` of answers as JSON are kept, those that came last; a larger one is asked for
 * each time.
 */
export interface ToolCache {
  /** null: not asked yet, or something has happened on the server since. */
  get(server: string, digest: string): ToolValue | null;
  /**
   * `since`: `mark` of the server when the call was made; an answer from before a change is not
   * kept.
   */
  put(server: string, of: { readonly digest: string; readonly since: number; readonly value: ToolValue }): void;
  /** Where the server stands now. */
  mark(server: string): number;
  /** Something may have changed on the server. */
  changed(server: string): void;
  /** What was last known of the tool of each skill, by the skill's id. */
  readonly facts: Map<string, ToolFacts>;
}

/** A run with a hundred large reads stays far below the memory of a small machine. */
const MAX_CHARS = 16 * 1024 * 1024;

interface Kept {
  readonly server: string;
  readonly value: ToolValue;
  readonly chars: number;
}

export function createToolCache(maxChars = MAX_CHARS): ToolCache {
  /** By server and digest, in the order in which they came. */
  const answers = new Map<string, Kept>();
  const marks = new Map<string, number>();
  const mark = (server: string): number => marks.get(server) ?? 0;
  const keyOf = (server: string, digest: string): string => `${digest} ${server}`;
  let total = 0;
  const drop = (key: string, kept: Kept | undefined): void => {
    if (answers.delete(key)) total -= kept?.chars ?? 0;
  };
  return {
    facts: new Map(),
    mark,
    get: (server, digest) => answers.get(keyOf(server, digest))?.value ?? null,
    put: (server, { digest, since, value }) => {
      if (mark(server) !== since) return;
      const key = keyOf(server, digest);
      const kept = { server, value, chars: JSON.stringify(value).length };
      drop(key, answers.get(key));
      if (kept.chars > maxChars) return;
      answers.set(key, kept);
      total += kept.chars;
      for (const [oldest, of] of answers) {
        if (total <= maxChars) break;
        drop(oldest, of);
      }
    },
    changed: (server) => {
      marks.set(server, mark(server) + 1);
      for (const [key, kept] of answers) if (kept.server === server) drop(key, kept);
    },
  };
}
