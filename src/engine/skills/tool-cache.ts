import type { ToolFacts } from './tool-facts.js';
import type { ToolValue } from './tool-result.js';

/**
 * Answers of tools that only read, for one pass over a run's journal: what was asked before with the same arguments is not asked again. Any call
 * that may have changed something on a server takes its answers away. A resume starts with an empty one: what was recorded needs none.
 */
export interface ToolCache {
  /** null: not asked yet, or something has happened on the server since. */
  get(server: string, digest: string): ToolValue | null;
  /** `since`: `mark` of the server when the call was made; an answer from before a change is not kept. */
  put(server: string, of: { readonly digest: string; readonly since: number; readonly value: ToolValue }): void;
  /** Where the server stands now. */
  mark(server: string): number;
  /** Something may have changed on the server. */
  changed(server: string): void;
  /** What was last known of the tool of each skill, by the skill's id. */
  readonly facts: Map<string, ToolFacts>;
}

export function createToolCache(): ToolCache {
  const answers = new Map<string, Map<string, ToolValue>>();
  const marks = new Map<string, number>();
  const mark = (server: string): number => marks.get(server) ?? 0;
  return {
    facts: new Map(),
    mark,
    get: (server, digest) => answers.get(server)?.get(digest) ?? null,
    put: (server, { digest, since, value }) => {
      if (mark(server) !== since) return;
      const known = answers.get(server) ?? new Map<string, ToolValue>();
      answers.set(server, known.set(digest, value));
    },
    changed: (server) => {
      marks.set(server, mark(server) + 1);
      answers.delete(server);
    },
  };
}
