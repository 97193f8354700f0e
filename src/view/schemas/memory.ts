// What is remembered.
import type { MemorySettings } from '../../domain/memory-settings.js';
import type { Memory, MemoryChange, MemoryOp, MemoryWritten, QuarantinedMemory } from '../../domain/ports/memory.js';
import { toWire } from './codec.js';
import {
  among,
  arrayOf,
  BOOLEAN,
  closed,
  described,
  held,
  INTEGER,
  NUMBER,
  nullable,
  type Schema,
  STRING,
  TIMESTAMP,
  type TypeOf,
} from './words.js';

export const MEMORY_TYPES = ['semantic', 'profile', 'procedural', 'episodic', 'working'] as const;

export const MEMORY = closed({
  key: described(STRING, '<subject>/<attribute>'),
  subject: STRING,
  attribute: STRING,
  value: STRING,
  type: among(MEMORY_TYPES),
  confidence: NUMBER,
  valid_from: TIMESTAMP,
  last_reinforced_at: held('reinforcedAt', TIMESTAMP),
  reinforce_count: INTEGER,
  source: STRING,
  origin: among(['automatic', 'person', 'curator']),
  owner: STRING,
  job_id: nullable(STRING),
});
export type WireMemory = TypeOf<typeof MEMORY>;

export const MEMORY_CHANGE = closed({
  op: STRING as Schema<MemoryOp>,
  before: nullable(STRING),
  after: STRING,
  reason: STRING,
  decided_by: STRING,
  timestamp: held('at', TIMESTAMP),
});
export type WireMemoryChange = TypeOf<typeof MEMORY_CHANGE>;

const CANDIDATE = closed({
  subject: STRING,
  attribute: STRING,
  value: STRING,
  type: among(MEMORY_TYPES),
  confidence: NUMBER,
  source: STRING,
  relation: described(
    nullable(among(['replaces', 'refines'])),
    'How it stands to what is known, by who wrote it; null = nobody said.',
  ),
});

export const QUARANTINED = closed({
  id: STRING,
  memory_key: STRING,
  candidate: CANDIDATE,
  current_value: STRING,
  reasoning: held('reason', STRING),
  origin: among(['automatic', 'person']),
  owner: STRING,
  status: among(['pending', 'accepted', 'rejected']),
  created_at: TIMESTAMP,
  resolved_at: nullable(TIMESTAMP),
  resolved_by: nullable(STRING),
  comment: nullable(STRING),
});
export type WireQuarantined = TypeOf<typeof QUARANTINED>;

export const MEMORIES = closed({ memories: arrayOf(MEMORY) });
export const MEMORY_ITEM = closed({ current: nullable(MEMORY), history: arrayOf(MEMORY_CHANGE) });
export type WireMemoryItem = TypeOf<typeof MEMORY_ITEM>;

export const MEMORY_WRITTEN = closed(
  {
    op: among(['new', 'reinforce', 'update', 'refine', 'contradict']),
    key: STRING,
    changed: BOOLEAN,
    quarantine_id: STRING,
  },
  ['quarantine_id'],
);
export type WireMemoryWritten = TypeOf<typeof MEMORY_WRITTEN>;

export const QUARANTINE = closed({ quarantine: arrayOf(QUARANTINED) });
export const QUARANTINE_RESOLVED = closed({
  resolved: BOOLEAN,
  accepted: BOOLEAN,
  outcome: nullable(closed({ op: STRING, value: STRING })),
});

export const MEMORY_CONFIG = closed({
  enabled: BOOLEAN,
  governed: BOOLEAN,
  reader: closed({ enabled: BOOLEAN, max_results: INTEGER, similarity_threshold: NUMBER, search_scope: STRING }),
  writer: closed({ enabled: BOOLEAN, min_output_length: INTEGER }),
  source: among(['default', 'workspace']),
});
export type WireMemoryConfig = TypeOf<typeof MEMORY_CONFIG>;

/** An entry as CLI and HTTP show it (docs/design/decisions.md#wire). */
export const toWireMemory = (memory: Memory): WireMemory => toWire(MEMORY, { ...memory, key: keyOf(memory) });

export const toWireMemoryChange = (change: MemoryChange): WireMemoryChange => toWire(MEMORY_CHANGE, change);

export const toWireMemoryWritten = ({ quarantineId, ...written }: MemoryWritten): WireMemoryWritten =>
  toWire(MEMORY_WRITTEN, { ...written, ...(quarantineId === null ? {} : { quarantineId }) });

export const toWireQuarantine = (quarantined: QuarantinedMemory): WireQuarantined =>
  toWire(QUARANTINED, { ...quarantined, memoryKey: keyOf(quarantined.candidate) });

const keyOf = ({ subject, attribute }: Pick<Memory, 'subject' | 'attribute'>): string => `${subject}/${attribute}`;

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

export const SHARED = described(BOOLEAN, 'Open to everybody of the tier.');

export const CONVERSATION_ROW = closed({
  id: STRING,
  topology: STRING,
  turns: held('turnCount', INTEGER),
  updated: held('updatedAt', TIMESTAMP),
  last_message: described(STRING, 'First 60 characters.'),
});
export type WireConversationRow = TypeOf<typeof CONVERSATION_ROW>;
export const CONVERSATIONS = arrayOf(CONVERSATION_ROW);

const TURN = closed({
  role: among(['human', 'swarm']),
  content: STRING,
  timestamp: TIMESTAMP,
  job_id: described(STRING, 'The run of this turn.'),
});
export type WireTurn = TypeOf<typeof TURN>;

export const CONVERSATION_CREATED = closed({ id: STRING, topology: STRING, shared: SHARED });
export const CONVERSATION = closed({
  id: STRING,
  topology: STRING,
  created_by: STRING,
  shared: SHARED,
  turns: arrayOf(TURN),
  created_at: TIMESTAMP,
  updated_at: TIMESTAMP,
});
export type WireConversation = TypeOf<typeof CONVERSATION>;

/** What a list shows of a conversation. */
export interface ConversationSummary {
  readonly id: string;
  readonly topology: string;
  readonly turnCount: number;
  /** ISO 8601. */
  readonly updatedAt: string;
  /** First 60 characters of the newest message; '' before the first. */
  readonly lastMessage: string;
}

/** A conversation in a list, as CLI and HTTP show it. */
export const toWireConversation = (summary: ConversationSummary): WireConversationRow =>
  toWire(CONVERSATION_ROW, summary);
