import { Buffer } from 'node:buffer';
import type { RunWrite, StepRow } from '../../domain/journal.js';
import type { EventRecord } from '../event-row.js';
import { type StoredOutcome, thinUsage } from '../step-row.js';
import type { SqlValue } from './sql-runner.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * A digest as the bytes that it tells of: half of its text. What is not one stays text: a row that
 * somebody has damaged is shown as it is. The views of migration 20 are the way back.
 */
export function packedDigest(text: string): Uint8Array | string {
  // Of 16 or 32 bytes. A look at each digit by a pattern costs five times as much.
  if (text.length !== 32 && text.length !== 64) return text;
  const bytes = Buffer.from(text, 'hex');
  return bytes.toString('hex') === text ? bytes : text;
}

/** The same for the id of an event: 16 bytes for 36 characters. */
export const packedId = (text: string): Uint8Array | string =>
  UUID.test(text) ? Buffer.from(text.replaceAll('-', ''), 'hex') : text;

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
  thinUsage(row.usage),
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
): readonly SqlValue[] => [outcome.inline, outcome.sha256, thinUsage(usage), units, endedAt, run, key];

/** In the order of INSERT_EVENT. */
export const eventValues = (run: number, record: Omit<EventRecord, 'pos'>): readonly SqlValue[] => [
  run,
  record.seq,
  packedId(record.event_id),
  record.type,
  record.timestamp,
  record.topology_id,
  record.agent_id,
  record.skill_id,
  record.step_key,
  record.payload,
  record.labels,
  record.correlation_id,
  packedDigest(record.hash),
];
