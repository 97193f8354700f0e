import type { CompressionPolicy } from '../../domain/compression.js';
import type { ContextCompression } from '../../domain/generated/artifacts.js';
import { DEFAULTS } from '../../domain/generated/defaults.js';

/**
 * `context_compression` of the workspace. An override has the top level's for what it leaves out.
 */
export function linkCompression(written: ContextCompression | undefined): CompressionPolicy {
  const block = { ...DEFAULTS.ContextCompression, ...written };
  return {
    backend: block.backend,
    backendClass: block.backend_class ?? null,
    minBytes: block.min_bytes,
    overrides: (block.overrides ?? []).map((entry) => ({
      backend: entry.backend ?? null,
      backendClass: entry.backend_class ?? null,
      minBytes: entry.min_bytes ?? null,
      match: entry.match ?? null,
      matchServer: entry.match_server ?? null,
    })),
  };
}
