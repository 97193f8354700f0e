import { KitError } from '../../domain/errors.js';
import type {
  Memory,
  MemoryCandidate,
  MemoryChange,
  MemoryOp,
  MemoryReader,
  MemoryWrite,
  QuarantinedMemory,
} from '../../domain/ports/memory.js';
import { memoryWords } from '../../lib/memory-words.js';
import { sha256Hex } from '../../lib/sha256.js';
import { type RowOf, tableOf } from '../columns.js';

/** What people wrote or accepted. */
export const SHARED = 'shared';
/** What came out of the runs of one submitter; no identity makes it `shared`. */
export const ownSpace = (owner: string): string => `own:${owner}`;
export const spaceOf = ({ origin, owner }: Pick<MemoryWrite, 'origin' | 'owner'>): string =>
  origin === 'automatic' ? ownSpace(owner) : SHARED;

export const memoryIdOf = (space: string, key: Pick<Memory, 'subject' | 'attribute'>): string =>
  sha256Hex(JSON.stringify([space, key.subject, key.attribute])).slice(0, 32);

/** The parameters of READABLE. */
export const readerParams = ({ owner, scope }: MemoryReader) => ({
  own: ownSpace(owner),
  owner,
  isAll: scope === 'user' ? 0 : 1,
});

export const MEMORIES = tableOf<Memory>('memories', {
  id: 'plain',
  subject: 'plain',
  attribute: 'plain',
  value: 'plain',
  type: 'plain',
  confidence: 'plain',
  origin: 'plain',
  owner: 'plain',
  source: 'plain',
  session: 'plain',
  job_id: 'plain',
  valid_from: 'plain',
  reinforced_at: 'plain',
  reinforce_count: 'plain',
});
export type MemoryRecord = RowOf<Memory> & { readonly space: string };

export interface ChangeRecord {
  readonly op: string;
  readonly value_before: string | null;
  readonly value_after: string;
  readonly reason: string;
  readonly decided_by: string;
  readonly quarantine: string | null;
  readonly at: string;
}

export const decodeChange = (row: ChangeRecord): MemoryChange => ({
  op: row.op as MemoryOp,
  before: row.value_before,
  after: row.value_after,
  reason: row.reason,
  decidedBy: row.decided_by,
  at: row.at,
});

export interface QuarantineRecord {
  readonly id: string;
  readonly space: string;
  readonly memory: string;
  readonly owner: string;
  readonly candidate: string;
  readonly current_value: string;
  readonly reason: string;
  readonly status: string;
  readonly created_at: string;
  readonly resolved_at: string | null;
  readonly resolved_by: string | null;
  readonly comment: string | null;
}

/** The cast: the column is what `write` made of a candidate. */
export const decodeQuarantine = (row: QuarantineRecord): QuarantinedMemory => ({
  id: row.id,
  origin: row.space === SHARED ? 'person' : 'automatic',
  owner: row.owner,
  candidate: JSON.parse(row.candidate) as MemoryCandidate,
  currentValue: row.current_value,
  reason: row.reason,
  status: row.status as QuarantinedMemory['status'],
  createdAt: row.created_at,
  resolvedAt: row.resolved_at,
  resolvedBy: row.resolved_by,
  comment: row.comment,
});

/** What an entry is found by. */
export const indexedWords = (entry: Pick<Memory, 'subject' | 'attribute' | 'value'>): string =>
  JSON.stringify(memoryWords(`${entry.subject} ${entry.attribute} ${entry.value}`, 400));

export function memoryUnknown(id: string, candidates: readonly string[]): KitError {
  const problem =
    candidates.length > 1 ? `${id} begins more than one quarantined memory` : `there is no quarantined memory ${id}`;
  return new KitError('KIT_MEMORY_UNKNOWN', problem, { data: { id, candidates: [...candidates] } });
}

/** What was contradicted is no longer what is known. */
export const memoryChanged = ({ id, currentValue }: QuarantinedMemory): KitError =>
  new KitError(
    'KIT_MEMORY_CHANGED',
    `${id} contradicts ${JSON.stringify(currentValue)}, which the entry no longer says`,
    { data: { id } },
  );

export const memoryDecided = ({ id, status, resolvedBy }: QuarantinedMemory): KitError =>
  new KitError('KIT_MEMORY_DECIDED', `${id} was ${status} by ${resolvedBy ?? 'somebody'}`, { data: { id, status } });
