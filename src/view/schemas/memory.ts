// What is remembered, as `wire-memory.ts` makes it.
import {
  among,
  arrayOf,
  BOOLEAN,
  closed,
  described,
  INTEGER,
  NUMBER,
  nullable,
  STRING,
  TIMESTAMP,
  type TypeOf,
} from './words.js';

export const MEMORY_TYPES = ['semantic', 'profile', 'procedural', 'episodic', 'working'] as const;

const MEMORY = closed({
  key: described(STRING, '<subject>/<attribute>'),
  subject: STRING,
  attribute: STRING,
  value: STRING,
  type: among(MEMORY_TYPES),
  confidence: NUMBER,
  valid_from: TIMESTAMP,
  last_reinforced_at: TIMESTAMP,
  reinforce_count: INTEGER,
  source: STRING,
  origin: among(['automatic', 'person', 'curator']),
  owner: STRING,
  job_id: nullable(STRING),
});
export type WireMemory = TypeOf<typeof MEMORY>;

const CHANGE = closed({
  op: STRING,
  before: nullable(STRING),
  after: STRING,
  reason: STRING,
  decided_by: STRING,
  timestamp: TIMESTAMP,
});
export type WireMemoryChange = TypeOf<typeof CHANGE>;

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
  reasoning: STRING,
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
export const MEMORY_ITEM = closed({ current: nullable(MEMORY), history: arrayOf(CHANGE) });
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
