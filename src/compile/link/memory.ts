import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { JsonObject } from '../../domain/json.js';
import type { MemorySettings } from '../../domain/memory-settings.js';
import { flagAt, numberAt, objectAt, objectIn, textAt } from '../read.js';

const SCOPES: readonly MemorySettings['searchScope'][] = ['user', 'all', 'both'];

/** On unless written off, also without the block (interface, workspace.yaml). */
export const memoryEnabled = (workspace: JsonObject): boolean =>
  flagAt(objectAt(workspace, 'memory'), 'enabled') ?? DEFAULTS.Memory.enabled;

/** Null: it is not written, or not in whole. */
function namedModel(value: JsonObject | null, key: 'name' | 'model'): NonNullable<MemorySettings['model']> | null {
  const [provider, model] = [textAt(value, 'provider'), textAt(value, key)];
  return provider == null || model == null ? null : { provider, model };
}

/** `memory` of the workspace with its defaults. */
export function linkMemory(workspace: JsonObject): MemorySettings {
  const [reader, writer] = [objectIn(workspace, 'memory', 'reader'), objectIn(workspace, 'memory', 'writer')];
  const [read, write] = [DEFAULTS['Memory.reader'], DEFAULTS['Memory.writer']];
  const embedding = namedModel(objectAt(reader, 'embedding'), 'model');
  const model = namedModel(objectIn(workspace, 'memory', 'model'), 'name');
  return {
    enabled: memoryEnabled(workspace),
    maxResults: numberAt(reader, 'max_results') ?? read.max_results,
    similarityThreshold: numberAt(reader, 'similarity_threshold') ?? read.similarity_threshold,
    searchScope: SCOPES.find((scope) => scope === textAt(reader, 'search_scope')) ?? read.search_scope,
    ...(embedding === null ? {} : { embedding }),
    ...(model === null ? {} : { model }),
    minOutputLength: numberAt(writer, 'min_output_length') ?? write.min_output_length,
  };
}
