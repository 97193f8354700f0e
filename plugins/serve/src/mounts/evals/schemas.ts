const NAME = { type: 'string', minLength: 1, maxLength: 300, pattern: '^[A-Za-z0-9._-]+$' } as const;

export const LIST_QUERY = {
  type: 'object',
  properties: {
    set: { type: 'string', minLength: 1, maxLength: 200, description: 'Id of an eval set.' },
    limit: { type: 'integer', minimum: 1, maximum: 200, default: 50 },
  },
} as const;
export const NAME_PARAM = { type: 'object', required: ['name'], properties: { name: NAME } } as const;
export const AGAINST_QUERY = {
  type: 'object',
  properties: { against: { ...NAME, description: 'Name of an earlier report.' } },
} as const;
