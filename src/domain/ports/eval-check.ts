import type { Json } from '../json.js';

/** What a run of an evaluation left: everything that a check may look at. */
export interface EvalSubject {
  readonly input: Json;
  readonly output: Json | null;
  readonly status: string;
  readonly usedSkills: readonly string[];
}

/** One key of `expect`; the instance behind the point `evalChecks`. */
export interface EvalCheck {
  /** null = it holds; else one sentence that says what was expected and what was found. */
  check(expected: Json, subject: EvalSubject): Promise<string | null> | string | null;
}
