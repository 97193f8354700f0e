import type { RunWrite, StepRow } from '../../domain/journal.js';
import type { StoredOutcome } from '../step-row.js';
import type { SqlValue } from './sql-runner.js';

/** In the order of START_STEP. */
export const startValues = (run: number, row: StepRow, outcome: StoredOutcome): readonly SqlValue[] => [
  run,
  row.jobId,
  row.key,
  row.kind,
  row.identity,
  row.effects,
  row.onInDoubt,
  row.attempt,
  row.stepId,
  outcome.inline,
  outcome.sha256,
  JSON.stringify(row.notes),
  usageText(row.usage),
  row.units,
  row.agentId,
  row.startedAt,
  row.endedAt,
];

/** In the order of END_STEP. */
export const endValues = (
  run: number,
  { key, usage, units, endedAt }: Extract<RunWrite, { op: 'step.ended' }>,
  outcome: StoredOutcome,
): readonly SqlValue[] => [outcome.inline, outcome.sha256, usageText(usage), units, endedAt, run, key];

const usageText = (usage: StepRow['usage']): string | null => (usage === null ? null : JSON.stringify(usage));
