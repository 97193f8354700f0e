import { ROUTE_SEGMENTS } from './generated/route-segments.js';

/**
 * First segments of kit's own routes, and of those that clients of this interface may look for
 * (docs/design/decisions.md#reserved-paths). A third party's prefix cannot begin with one: what it
 * mounts must never stand in the way of a route of kit, now or when it comes.
 */
export const RESERVED_SEGMENTS: ReadonlySet<string> = new Set<string>([
  ...ROUTE_SEGMENTS,
  'console',
  'docs',
  'pipelines',
]);

/** `acme` of `/acme/things`; '' for no prefix. */
export const firstSegment = (path: string): string => path.split('/')[1] ?? '';
