import type { Job } from '../domain/job.js';
import type { RunFigures } from '../domain/run-figures.js';

/** With the claim that they were counted after: a run that went on has come to more since. */
interface KeptFigures {
  readonly attempt: number;
  readonly figures: RunFigures;
}

/** null = nothing is known, and nothing of an earlier end stays. */
export function encodeFigures(attempt: number, figures: RunFigures | undefined): string | null {
  if (figures === undefined) return null;
  const kept: KeptFigures = { attempt, figures };
  return JSON.stringify(kept);
}

/** The figures of a row that says how its run ended; {} where they are those of an earlier end. */
export function decodeFigures(row: {
  readonly status: string;
  readonly attempt: number;
  readonly figures: string | null;
}): Pick<Job, 'figures'> {
  const isOver = row.status === 'completed' || row.status === 'failed' || row.status === 'stopped';
  if (row.figures === null || !isOver) return {};
  const kept = JSON.parse(row.figures) as KeptFigures; // only `encodeFigures` writes this column
  return kept.attempt === row.attempt ? { figures: kept.figures } : {};
}
