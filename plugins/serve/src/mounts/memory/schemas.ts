import { arrayOf, BOOLEAN, closed, INTEGER, NUMBER, nullable, STRING, TIMESTAMP } from '../shared/schema.js';

const TYPES = ['semantic', 'profile', 'procedural', 'episodic', 'working'] as const;
const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength, pattern: '^[^\\u0000]*$' }) as const;

const memory = closed({
  key: { ...STRING, description: '<subject>/<attribute>' },
  subject: STRING,
  attribute: STRING,
  value: STRING,
  type: { enum: TYPES },
  confidence: NUMBER,
  valid_from: TIMESTAMP,
  last_reinforced_at: TIMESTAMP,
  reinforce_count: INTEGER,
  source: STRING,
  origin: { enum: ['automatic', 'person', 'curator'] },
  owner: STRING,
  job_id: nullable(STRING),
});
const change = closed({
  op: STRING,
  before: nullable(STRING),
  after: STRING,
  reason: STRING,
  decided_by: STRING,
  timestamp: TIMESTAMP,
});
export const ASIDE = closed({
  id: STRING,
  memory_key: STRING,
  candidate: { type: 'object', additionalProperties: true },
  current_value: STRING,
  reasoning: STRING,
  origin: { enum: ['automatic', 'person'] },
  owner: STRING,
  status: { enum: ['pending', 'accepted', 'rejected'] },
  created_at: TIMESTAMP,
  resolved_at: nullable(TIMESTAMP),
  resolved_by: nullable(STRING),
  comment: nullable(STRING),
});

export const MEMORIES = closed({ memories: arrayOf(memory) });
export const ITEM = closed({ current: nullable(memory), history: arrayOf(change) });
export const WRITTEN = closed(
  {
    op: { enum: ['new', 'reinforce', 'update', 'refine', 'contradict'] },
    key: STRING,
    changed: BOOLEAN,
    quarantine_id: STRING,
  },
  ['quarantine_id'],
);
export const QUARANTINE = closed({ quarantine: arrayOf(ASIDE) });
export const RESOLVED = closed({
  resolved: BOOLEAN,
  accepted: BOOLEAN,
  outcome: nullable(closed({ op: STRING, value: STRING })),
});
export const CONFIG = closed({
  enabled: BOOLEAN,
  governed: BOOLEAN,
  reader: closed({ enabled: BOOLEAN, max_results: INTEGER, similarity_threshold: NUMBER, search_scope: STRING }),
  writer: closed({ enabled: BOOLEAN, min_output_length: INTEGER }),
  source: { enum: ['default', 'workspace'] },
});

const limit = { type: 'integer', minimum: 1, maximum: 200, default: 20 } as const;
export const LIST_QUERY = {
  type: 'object',
  properties: { query: { type: 'string', maxLength: 10_000, default: '' }, type: { enum: TYPES }, limit },
} as const;
export const ITEM_QUERY = {
  type: 'object',
  required: ['subject', 'attribute'],
  properties: { subject: text(200), attribute: text(200) },
} as const;
export const QUARANTINE_QUERY = {
  type: 'object',
  properties: { status: { enum: ['pending', 'accepted', 'rejected', 'all'], default: 'pending' }, limit },
} as const;
export const ADD_BODY = {
  type: 'object',
  required: ['subject', 'attribute', 'value'],
  properties: {
    subject: text(200),
    attribute: text(200),
    value: text(4_000),
    type: { enum: TYPES, default: 'semantic' },
    confidence: { type: 'number', minimum: 0, maximum: 1, default: 1 },
    source: { type: 'string', maxLength: 200, default: '', pattern: '^[^\\u0000]*$' },
  },
} as const;
const decision = {
  accept: { type: 'boolean' },
  comment: { type: 'string', maxLength: 4_000, pattern: '^[^\\u0000]*$' },
} as const;
export const RESOLVE_BODY = { type: 'object', required: ['accept'], properties: decision } as const;
export const DECIDE_BODY = {
  type: 'object',
  required: ['id', 'accept'],
  properties: { id: text(64), ...decision },
} as const;
export const ID_PARAM = closed({
  id: { type: 'string', minLength: 1, maxLength: 64, description: 'Id or unique prefix.' },
});

export interface AddBody {
  readonly subject: string;
  readonly attribute: string;
  readonly value: string;
  readonly type: string;
  readonly confidence: number;
  readonly source: string;
}

export interface ResolveBody {
  readonly accept: boolean;
  readonly comment?: string;
}
