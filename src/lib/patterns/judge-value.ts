import type { PatternTest } from './linear-pattern.js';

/** One question that no linear engine answers. */
export interface PatternQuestion {
  readonly source: string;
  /** As `RegExp` takes them; absent = `u`. */
  readonly flags?: string;
  readonly text: string;
}

/** `late`: not all of them were answered in time. */
export type PatternAnswers = readonly boolean[] | 'late';

/**
 * Answers questions about patterns without holding up the process, within one limit of
 * time for all of them.
 */
export type JudgePatterns = (questions: readonly PatternQuestion[]) => Promise<PatternAnswers>;

/** Each round answers what the one before has asked; branches of a schema ask after one another. */
const MAX_ROUNDS = 16;

const keyOf = ({ source, text }: PatternQuestion): string => JSON.stringify([source, text]);

/**
 * The questions of one value while it is judged. A validator asks without waiting: what is not
 * known yet is taken for absent and noted, and the value is judged again with the answers.
 */
export class PatternRounds {
  #known = new Map<string, boolean>();
  #asked = new Map<string, PatternQuestion>();

  testOf(source: string): PatternTest {
    return (text) => {
      const question = { source, text };
      const key = keyOf(question);
      const known = this.#known.get(key);
      if (known === undefined) this.#asked.set(key, question);
      return known ?? false;
    };
  }

  /** What `validate` gives when every question is answered; `late` when one is not in time. */
  async settle<T>(validate: () => T, judge: JudgePatterns): Promise<{ readonly value: T } | 'late'> {
    this.#known = new Map();
    for (let round = 0; round < MAX_ROUNDS; round += 1) {
      this.#asked = new Map();
      const value = validate();
      if (this.#asked.size === 0) return { value };
      const asked = [...this.#asked];
      const answers = await judge(asked.map(([, question]) => question));
      if (answers === 'late') return 'late';
      for (const [index, [key]] of asked.entries()) this.#known.set(key, answers[index] ?? false);
    }
    return 'late';
  }
}
