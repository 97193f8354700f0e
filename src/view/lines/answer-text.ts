import { manyLines, oneLine } from './words.js';

/** What a model said of recorded facts, and the facts where it said nothing. */
export interface AnswerView {
  readonly facts: readonly string[];
  readonly missing: readonly string[];
  readonly answer: string | null;
  readonly problem: string | null;
  readonly runId: string | null;
}

/** An answer in words, marked as a model's; without one the facts. */
export function answerText({ facts, missing, answer, problem, runId }: AnswerView): string {
  const lacks = missing.map((what) => `missing: ${oneLine(what, 300)}`);
  if (answer !== null) return [manyLines(answer), '', `a model said this, in run ${runId ?? '-'}`, ...lacks].join('\n');
  const why = problem === null ? [] : [`no model has answered: ${oneLine(problem, 600)}`];
  return [...why, ...facts.map((fact) => oneLine(fact, 400)), ...lacks].join('\n');
}
