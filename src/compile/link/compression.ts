import type { CompressionBackend, CompressionPolicy, CompressionRule } from '../../domain/compression.js';
import type { JsonObject } from '../../domain/json.js';
import { numberAt, objectAt, objectsAt, textAt } from '../read.js';

const BACKENDS: readonly CompressionBackend[] = ['off', 'columnar', 'headtail', 'plugin'];
const DEFAULTS: CompressionRule = { backend: 'off', backendClass: null, minBytes: 2000 };

/** `context_compression` of the workspace. An override has the top level's for what it leaves out (artifacts.md 3.9). */
export function linkCompression(workspace: JsonObject): CompressionPolicy {
  const block = objectAt(workspace, 'context_compression');
  const base = ruleOf(block, DEFAULTS);
  const overrides = objectsAt(block, 'overrides').map((entry) => ({
    ...ruleOf(entry, base),
    match: textAt(entry, 'match'),
    matchServer: textAt(entry, 'match_server'),
  }));
  return { ...base, overrides };
}

const ruleOf = (block: JsonObject | null, otherwise: CompressionRule): CompressionRule => ({
  backend: BACKENDS.find((name) => name === textAt(block, 'backend')) ?? otherwise.backend,
  backendClass: textAt(block, 'backend_class') ?? otherwise.backendClass,
  minBytes: numberAt(block, 'min_bytes') ?? otherwise.minBytes,
});
