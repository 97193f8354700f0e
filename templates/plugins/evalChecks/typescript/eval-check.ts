import type { EvalSubject, Json } from '@kit-run/kit/plugin';
import { defineEvalCheck } from '@kit-run/kit/plugin';

function create() {
  return {
    /**
     * `sample-name: 20` in a set: the output has at most so many words. Null = it holds; a sentence
     * = it does not.
     */
    check(expected: Json, { output }: EvalSubject) {
      if (typeof expected !== 'number') return `sample-name takes a number of words, not ${JSON.stringify(expected)}`;
      const words = String(output ?? '')
        .split(/\s+/)
        .filter((word) => word !== '').length;
      return words <= expected ? null : `the output has ${words} words, and ${expected} are the most`;
    },
  };
}

/** Eval check `sample-name`. */
export const contribution = defineEvalCheck({ create });
