import type { RunWrite, StepRow } from '../../domain/journal.js';
import { type StoredOutcome, usageText } from '../step-row.js';
import { packedDigest } from './packed.js';
import type { SqlValue } from './sql-runner.js';

/** In the order of START_STEP. */
export const startValues = (run: number, row: StepRow, outcome: StoredOutcome): readonly SqlValue[] => [
  run,
  row.key,
  row.kind,
  packedDigest(row.identity),
  row.effects,
  row.onInDoubt,
  row.attempt,
  packedDigest(row.stepId),
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
