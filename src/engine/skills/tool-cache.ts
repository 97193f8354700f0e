import type { Effects, OnInDoubt } from '../../domain/journal.js';
import type { JsonObject } from '../../domain/json.js';
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

export const createToolCache = (maxChars = MAX_CHARS): ToolCache => new NewestAnswers(maxChars);

/** Each run has one, and few ask a tool: what it keeps is made with the first answer. */
class NewestAnswers implements ToolCache {
  readonly #maxChars: number;
  /** By server and digest, in the order in which they came. */
  #answers: Map<string, Kept> | undefined;
  #marks: Map<string, number> | undefined;
  #facts: Map<string, ToolFacts> | undefined;
  #total = 0;

  constructor(maxChars: number) {
    this.#maxChars = maxChars;
  }

  get facts(): Map<string, ToolFacts> {
    this.#facts ??= new Map();
    return this.#facts;
  }

  mark(server: string): number {
    return this.#marks?.get(server) ?? 0;
  }

  get(server: string, digest: string): ToolValue | null {
    return this.#answers?.get(keyOf(server, digest))?.value ?? null;
  }

  put(server: string, { digest, since, value }: Parameters<ToolCache['put']>[1]): void {
    if (this.mark(server) !== since) return;
    const answers = this.#answers ?? new Map<string, Kept>();
    this.#answers = answers;
    const key = keyOf(server, digest);
    const kept = { server, value, chars: JSON.stringify(value).length };
    this.#drop(key, answers.get(key));
    if (kept.chars > this.#maxChars) return;
    answers.set(key, kept);
    this.#total += kept.chars;
    for (const [oldest, of] of answers) {
      if (this.#total <= this.#maxChars) break;
      this.#drop(oldest, of);
    }
  }

  changed(server: string): void {
    this.#marks ??= new Map();
    this.#marks.set(server, this.mark(server) + 1);
    for (const [key, kept] of this.#answers ?? []) if (kept.server === server) this.#drop(key, kept);
  }

  #drop(key: string, kept: Kept | undefined): void {
    if (this.#answers?.delete(key) === true) this.#total -= kept?.chars ?? 0;
  }
}

const keyOf = (server: string, digest: string): string => `${digest} ${server}`;

/** What is known of a tool once its server was asked. */
export interface ToolFacts {
  readonly effects: Effects;
  readonly onInDoubt: OnInDoubt;
  /** A call that may be made once more after a failure whose effect is not known. */
  readonly isIdempotent: boolean;
  readonly inputSchema: JsonObject;
}
