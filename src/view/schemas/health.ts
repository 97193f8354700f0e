// Whether a server takes requests, as `GET /health` answers anybody: it names the workspace, and
// nothing of what it holds.
import { closed, described, oneOf, type Schema, STRING, type TypeOf } from './words.js';

const OK = { const: 'ok', type: 'string' } as Schema<'ok'>;

export const HEALTHY = described(
  closed({
    status: OK,
    workspace: STRING,
    role: described(oneOf(['all', 'api']), '`api`: workers execute the runs.'),
    runtime_version: STRING,
  }),
  'It does.',
);
export type WireHealthy = TypeOf<typeof HEALTHY>;

const NOT_READY = [
  'starting',
  'stopping',
  'store-full',
  'store-read-only',
  'store-gone',
  'store-corrupt',
  'store-unavailable',
] as const;

export const NOT_HEALTHY = described(
  closed({
    status: oneOf(NOT_READY),
    runtime_version: STRING,
  }),
  'It starts or stops, or its store takes no writes.',
);
export type WireNotHealthy = TypeOf<typeof NOT_HEALTHY>;
