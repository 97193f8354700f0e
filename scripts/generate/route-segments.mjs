// src/remote/generated/openapi.ts -> src/app/serve/generated/route-segments.ts: the first segments
// of the routes that a server publishes.
import { readFile } from 'node:fs/promises';
import { root } from './schemas.mjs';

/** The text of route-segments.ts: `ROUTE_SEGMENTS`. */
export async function routeSegments() {
  const text = await readFile(new URL('src/remote/generated/openapi.ts', root), 'utf8');
  const segments = [...text.matchAll(/^ {4}readonly "\/([^/"{]*)/gm)].map(([, segment]) => segment);
  if (segments.length === 0) throw new Error('src/remote/generated/openapi.ts names no route');
  return `\nexport const ROUTE_SEGMENTS = ${JSON.stringify([...new Set(segments)].sort(), null, 2)} as const;\n`;
}
