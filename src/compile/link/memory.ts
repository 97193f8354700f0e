import type { JsonObject } from '../../domain/json.js';
import type { MemorySettings } from '../../domain/memory-settings.js';
import { flagAt, numberAt, objectAt, objectIn, textAt } from '../read.js';

const SCOPES: readonly MemorySettings['searchScope'][] = ['user', 'all', 'both'];

/** On unless written off, also without the block (interface, workspace.yaml). */
export const memoryEnabled = (workspace: JsonObject): boolean =>
  flagAt(objectAt(workspace, 'memory'), 'enabled') ?? true;

/** `memory` of the workspace with its defaults. */
export function linkMemory(workspace: JsonObject): MemorySettings {
  const [reader, writer] = [objectIn(workspace, 'memory', 'reader'), objectIn(workspace, 'memory', 'writer')];
  const embedding = objectAt(reader, 'embedding');
  const [provider, model] = [textAt(embedding, 'provider'), textAt(embedding, 'model')];
  return {
    enabled: memoryEnabled(workspace),
    maxResults: numberAt(reader, 'max_results') ?? 5,
    similarityThreshold: numberAt(reader, 'similarity_threshold') ?? 0.15,
    searchScope: SCOPES.find((scope) => scope === textAt(reader, 'search_scope')) ?? 'user',
    ...(provider == null || model == null ? {} : { embedding: { provider, model } }),
    minOutputLength: numberAt(writer, 'min_output_length') ?? 100,
  };
}
