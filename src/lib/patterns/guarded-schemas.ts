import type { ValidateFunction } from 'ajv/dist/2020.js';
import { type JudgePatterns, PatternRounds } from './judge-value.js';
import { type LinearEngine, linearPattern } from './linear-pattern.js';

/** What the validator calls in the place of `new RegExp`; `code` would be its text in a file. */
export type GuardedRegExp = ((source: string, flags: string) => GuardedPattern) & { code: string };

interface GuardedPattern {
  test(text: string): boolean;
  /** The validator keeps one for each text. */
  toString(): string;
}

/** A schema whose patterns cannot hold up the process. */
export interface GuardedSchema {
  /** `late`: whether the value fits was not known in time. */
  judge(value: unknown): Promise<ValidateFunction['errors'] | 'late'>;
}

/**
 * Guards the schema that `compile` makes a check of. Each schema has rounds of its own, and one
 * value is judged at a time: its questions are no other's.
 */
export function guardSchema(
  engine: LinearEngine,
  judge: JudgePatterns,
  compile: (regExp: GuardedRegExp) => ValidateFunction,
): GuardedSchema {
  const rounds = new PatternRounds();
  const regExp = (source: string): GuardedPattern => ({
    test: linearPattern(source, engine) ?? rounds.testOf(source),
    toString: () => `/${source}/u`,
  });
  const check = compile(Object.assign(regExp, { code: 'guarded' }));
  let last: Promise<unknown> = Promise.resolve();
  const one = async (value: unknown): Promise<ValidateFunction['errors'] | 'late'> => {
    const settled = await rounds.settle(() => (check(value) === true ? [] : [...(check.errors ?? [])]), judge);
    return settled === 'late' ? 'late' : settled.value;
  };
  return {
    judge: (value) => {
      const next = last.then(() => one(value));
      last = next.catch(() => undefined);
      return next;
    },
  };
}
