import { closed, MEMORY_TYPES as TYPES } from '@kit-run/kit/wire';

const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength, pattern: '^[^\\u0000]*$' }) as const;

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
