// What `toWireArtifact` makes, with and without its bytes.
import type { ArtifactRecord } from '../../domain/ports/artifacts.js';
import { utf8Text } from '../../lib/utf8.js';
import { toWire } from './codec.js';
import { arrayOf, closed, held, INTEGER, nullable, oneOf, STRING, STRINGS, TIMESTAMP, type TypeOf } from './words.js';

const FIELDS = {
  ref: STRING,
  correlation_id: held('correlation', nullable(STRING)),
  run_id: STRING,
  name: STRING,
  sha256: STRING,
  media_type: STRING,
  size_bytes: INTEGER,
  created_at: TIMESTAMP,
};
export const ARTIFACT = closed(FIELDS);
export type WireArtifact = TypeOf<typeof ARTIFACT>;

export const ARTIFACTS = closed({
  correlation_id: nullable(STRING),
  run_id: nullable(STRING),
  refs: STRINGS,
  artifacts: arrayOf(ARTIFACT),
});

const BYTES = { content: STRING, encoding: oneOf(['base64']), length: INTEGER };
const ENCODED = closed(BYTES, ['encoding']);
export type WireContent = TypeOf<typeof ENCODED>;

/** `encoding` is there only for bytes that are not UTF-8; `length` counts bytes. */
export const CONTENT = closed({ ...FIELDS, ...BYTES }, ['encoding']);

/** `text` is null for bytes that are not UTF-8 text: `GET /artifacts/{ref}` has them. */
export const ARTIFACT_TEXT = closed({
  ref: STRING,
  name: STRING,
  sha256: STRING,
  media_type: STRING,
  size_bytes: INTEGER,
  text: nullable(STRING),
});
export const ARTIFACT_TEXT_OR_NULL = nullable(ARTIFACT_TEXT);
export type WireArtifactText = TypeOf<typeof ARTIFACT_TEXT>;

/** An artifact as CLI and HTTP show it. */
export const toWireArtifact = (record: ArtifactRecord): WireArtifact =>
  // The first part of its ref is the run itself where the run has none.
  toWire(ARTIFACT, { ...record, correlation: record.correlation === record.runId ? null : record.correlation });

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
export const artifactText = (bytes: Uint8Array): string | null => utf8Text(bytes, { keepsMark: true });

const bytesToBase64 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
