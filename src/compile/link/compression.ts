import type { CompressionBackend, CompressionPolicy } from '../../domain/compression.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';
import type { JsonObject } from '../../domain/json.js';
import { numberAt, objectAt, objectsAt, textAt } from '../read.js';

const BACKENDS: readonly CompressionBackend[] = ['off', 'columnar', 'headtail', 'plugin'];

/**
 * `context_compression` of the workspace. An override has the top level's for what it leaves out.
 */
export function linkCompression(workspace: JsonObject): CompressionPolicy {
  const block = objectAt(workspace, 'context_compression');
  const { backend, min_bytes } = DEFAULTS.ContextCompression;
  return {
    backend: backendOf(block) ?? backend,
    backendClass: textAt(block, 'backend_class'),
    minBytes: numberAt(block, 'min_bytes') ?? min_bytes,
    overrides: objectsAt(block, 'overrides').map((entry) => ({
      backend: backendOf(entry),
      backendClass: textAt(entry, 'backend_class'),
      minBytes: numberAt(entry, 'min_bytes'),
      match: textAt(entry, 'match'),
      matchServer: textAt(entry, 'match_server'),
    })),
  };
}

const backendOf = (block: JsonObject | null): CompressionBackend | null =>
  BACKENDS.find((name) => name === textAt(block, 'backend')) ?? null;
