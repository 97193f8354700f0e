import type { ArtifactRecord } from '../domain/ports/artifacts.js';
import type { WireArtifact, WireContent } from './schemas/artifact.js';

/** An artifact as every door shows it. */
export const toWireArtifact = (record: ArtifactRecord): WireArtifact => ({
  ref: record.ref,
  // The first part of its ref is the run itself where the run has none.
  correlation_id: record.correlation === record.runId ? null : record.correlation,
  run_id: record.runId,
  name: record.name,
  sha256: record.sha256,
  media_type: record.mediaType,
  size_bytes: record.sizeBytes,
  created_at: record.createdAt,
});

/**
 * Its bytes in JSON: text as it is; what is not UTF-8 as base64, and then `encoding` says so.
 * `length` counts bytes.
 */
export function toWireContent(bytes: Uint8Array): WireContent {
  const text = artifactText(bytes);
  const length = bytes.byteLength;
  return text === null ? { content: bytesToBase64(bytes), encoding: 'base64', length } : { content: text, length };
}

/** Null for what is not UTF-8. A byte order mark stays: the bytes come back as they were. */
export function artifactText(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

const bytesToBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
