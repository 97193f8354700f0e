/**
 * First segments of kit's own routes, and of those that clients of this interface may look for
 * (docs/design/decisions.md#reserved-paths). A third party's prefix cannot begin with one: what it
 * mounts must never stand in the way of a route of kit, now or when it comes.
 */
export const RESERVED_SEGMENTS: ReadonlySet<string> = new Set([
  '.well-known',
  'a2a',
  'api',
  'archetypes',
  'artifacts',
  'audit',
  'auth',
  'auth-info',
  'canary',
  'capabilities',
  'comprehension',
  'console',
  'contracts',
  'conversations',
  'docs',
  'events',
  'fleet',
  'funnels',
  'gaps',
  'gates',
  'health',
  'hooks',
  'inbox',
  'jobs',
  'mcp',
  'memory',
  'metrics',
  'observability',
  'openapi.json',
  'pipelines',
  'providers',
  'queue',
  'reload',
  'review',
  'run',
  'skills',
  'storage',
  'system',
  'topologies',
  'triggers',
  'usage',
  'validate',
  'whoami',
  'workspace',
]);

/** `acme` of `/acme/things`; '' for no prefix. */
export const firstSegment = (path: string): string => path.split('/')[1] ?? '';
