import type { MemorySettings } from '../domain/memory-settings.js';
import type { Memory, MemoryChange, MemoryWritten, QuarantinedMemory } from '../domain/ports/memory.js';
import type {
  WireMemory,
  WireMemoryChange,
  WireMemoryConfig,
  WireMemoryWritten,
  WireQuarantined,
} from './schemas/memory.js';

/** An entry as every door shows it (docs/design/decisions.md#wire). */
export const toWireMemory = (memory: Memory): WireMemory => ({
  key: `${memory.subject}/${memory.attribute}`,
  subject: memory.subject,
  attribute: memory.attribute,
  value: memory.value,
  type: memory.type,
  confidence: memory.confidence,
  valid_from: memory.validFrom,
  last_reinforced_at: memory.reinforcedAt,
  reinforce_count: memory.reinforceCount,
  source: memory.source,
  origin: memory.origin,
  owner: memory.owner,
  job_id: memory.jobId,
});

export const toWireMemoryChange = ({ op, before, after, reason, decidedBy, at }: MemoryChange): WireMemoryChange => ({
  op,
  before,
  after,
  reason,
  decided_by: decidedBy,
  timestamp: at,
});

export const toWireMemoryWritten = ({ op, key, changed, quarantineId }: MemoryWritten): WireMemoryWritten => ({
  op,
  key,
  changed,
  ...(quarantineId === null ? {} : { quarantine_id: quarantineId }),
});

export const toWireQuarantine = (quarantined: QuarantinedMemory): WireQuarantined => ({
  id: quarantined.id,
  memory_key: `${quarantined.candidate.subject}/${quarantined.candidate.attribute}`,
  candidate: { ...quarantined.candidate },
  current_value: quarantined.currentValue,
  reasoning: quarantined.reason,
  origin: quarantined.origin,
  owner: quarantined.owner,
  status: quarantined.status,
  created_at: quarantined.createdAt,
  resolved_at: quarantined.resolvedAt,
  resolved_by: quarantined.resolvedBy,
  comment: quarantined.comment,
});

/** Settings in force. */
export const toWireMemoryConfig = (
  config: MemorySettings & { readonly source: WireMemoryConfig['source'] },
): WireMemoryConfig => ({
  enabled: config.enabled,
  governed: true,
  reader: {
    enabled: config.enabled,
    max_results: config.maxResults,
    similarity_threshold: config.similarityThreshold,
    search_scope: config.searchScope,
  },
  writer: { enabled: config.enabled, min_output_length: config.minOutputLength },
  source: config.source,
});
