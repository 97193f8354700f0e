import type { Workspace } from '../../domain/generated/artifacts.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { MemorySettings } from '../../domain/memory-settings.js';

/** On unless written off, also without the block (interface, workspace.yaml). */
export const memoryEnabled = ({ memory }: Workspace): boolean => memory?.enabled ?? DEFAULTS.Memory.enabled;

/** `memory` of the workspace with its defaults. */
export function linkMemory(workspace: Workspace): MemorySettings {
  const { memory } = workspace;
  const { embedding, ...reader } = { ...DEFAULTS['Memory.reader'], ...memory?.reader };
  const writer = { ...DEFAULTS['Memory.writer'], ...memory?.writer };
  return {
    enabled: memoryEnabled(workspace),
    maxResults: reader.max_results,
    similarityThreshold: reader.similarity_threshold,
    searchScope: reader.search_scope,
    ...(embedding === undefined ? {} : { embedding }),
    ...(memory?.model === undefined ? {} : { model: { provider: memory.model.provider, model: memory.model.name } }),
    minOutputLength: writer.min_output_length,
  };
}
