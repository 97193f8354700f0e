/** `GET /health`: public, so it names the workspace and nothing of what it holds. */
export const HEALTH_SCHEMA = {
  summary: 'Whether the server takes requests.',
  querystring: {
    type: 'object',
    properties: { live: { type: 'string', description: 'Given: whether the process lives, whatever its store says.' } },
  },
  response: {
    200: {
      type: 'object',
      description: 'It does.',
      additionalProperties: false,
      required: ['status', 'workspace', 'role', 'runtime_version'],
      properties: {
        status: { const: 'ok', type: 'string' },
        workspace: { type: 'string' },
        role: { type: 'string', enum: ['all', 'api'], description: '`api`: workers execute the runs.' },
        runtime_version: { type: 'string' },
      },
    },
    503: {
      type: 'object',
      description: 'It starts or stops, or its store takes no writes.',
      additionalProperties: false,
      required: ['status', 'runtime_version'],
      properties: {
        status: { enum: ['starting', 'stopping', 'store-full', 'store-read-only'], type: 'string' },
        runtime_version: { type: 'string' },
      },
    },
  },
} as const;

/** `GET /metrics`: the text format of Prometheus. */
export const METRICS_SCHEMA = {
  summary: 'Counters of the server in the text format of Prometheus.',
  produces: ['text/plain'],
  response: { 200: { description: 'One line a sample.', content: { 'text/plain': { schema: { type: 'string' } } } } },
} as const;

/** `GET /openapi.json`: what such a document may hold, its own standard says. */
export const OPENAPI_SCHEMA = {
  summary: 'This description, as OpenAPI 3.1.',
  response: {
    200: {
      type: 'object',
      description: 'An OpenAPI document.',
      additionalProperties: true,
      required: ['openapi', 'paths'],
    },
  },
} as const;
