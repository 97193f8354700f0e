import { HEALTHY, NOT_HEALTHY } from '@kit-run/kit/wire';

/** `GET /health`. */
export const HEALTH_SCHEMA = {
  summary: 'Whether the server takes requests.',
  querystring: {
    type: 'object',
    properties: { live: { type: 'string', description: 'Given: whether the process lives, whatever its store says.' } },
  },
  response: { 200: HEALTHY, 503: NOT_HEALTHY },
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
