import { posix } from 'node:path';
import { referencedPath } from './output-schema.js';

/** Where a funnel's file may lie: beside the funnel first for schemas, at the root first for rubrics (artifacts.md 7.1). */
export function funnelFileCandidates(artifactPath: string, layer: 'validate' | 'judge', reference: string): readonly string[] {
  const beside = referencedPath(artifactPath, reference);
  const atRoot = referencedPath(posix.basename(artifactPath), reference);
  const order = layer === 'validate' ? [beside, atRoot] : [atRoot, beside];
  return [...new Set(order.filter((path) => path !== null))];
}
