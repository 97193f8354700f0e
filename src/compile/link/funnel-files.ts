import { posix } from 'node:path';
import { type ReferencedFile, type ReferencedFiles, referencedPath } from './output-schema.js';

/**
 * Where a funnel's file may lie: beside the funnel first for schemas, at the root first for rubrics
 * (docs/design/workspace.md#funnels).
 */
export function funnelFileCandidates(
  artifactPath: string,
  layer: 'validate' | 'judge',
  reference: string,
): readonly string[] {
  const beside = referencedPath(artifactPath, reference);
  const atRoot = referencedPath(posix.basename(artifactPath), reference);
  const order = layer === 'validate' ? [beside, atRoot] : [atRoot, beside];
  return [...new Set(order.filter((path) => path !== null))];
}

/** The first of the candidates that is there, or that leads out of the workspace. */
export function firstFile(files: ReferencedFiles, paths: readonly string[]): ReferencedFile {
  for (const path of paths) {
    const file = files.get(path);
    if (file !== undefined && file.state !== 'missing') return file;
  }
  return { state: 'missing' };
}
