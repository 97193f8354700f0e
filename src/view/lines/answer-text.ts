import { manyLines, oneLine } from './words.js';

/** What is known, and what a model made of it. */
export interface Answer {
  /** Lines of the workspace and of the log, in this order, at most `MAX_EVENTS` of the log. */
  readonly facts: readonly string[];
  /** What the evidence lacks; [] = nothing that can be told. */
  readonly missing: readonly string[];
  /** Null: nobody was asked, or nobody could answer. */
  readonly answer: string | null;
  /** Why there is no answer; null = there is one, or none was asked for. */
  readonly problem: string | null;
  /** The run that answered. */
  readonly runId: string | null;
}

/** An answer in words, marked as a model's; without one the facts. */
export function answerText({ facts, missing, answer, problem, runId }: Answer): string {
  const lacks = missing.map((what) => `missing: ${oneLine(what, 300)}`);
  if (answer !== null) return [manyLines(answer), '', `a model said this, in run ${runId ?? '-'}`, ...lacks].join('\n');
  const why = problem === null ? [] : [`no model has answered: ${oneLine(problem, 600)}`];
  return [...why, ...facts.map((fact) => oneLine(fact, 400)), ...lacks].join('\n');
}
