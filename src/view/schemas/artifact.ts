// What `toWireArtifact` makes, with and without its bytes.
import { arrayOf, closed, INTEGER, nullable, oneOf, STRING, STRINGS, TIMESTAMP, type TypeOf } from './words.js';

const FIELDS = {
  ref: STRING,
  correlation_id: nullable(STRING),
  run_id: STRING,
  name: STRING,
  sha256: STRING,
  media_type: STRING,
  size_bytes: INTEGER,
  created_at: TIMESTAMP,
};
const ARTIFACT = closed(FIELDS);
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

/** `text` is null for bytes that are no UTF-8 text: `GET /artifacts/{ref}` has them. */
export const ARTIFACT_TEXT = closed({
  ref: STRING,
  sha256: STRING,
  media_type: STRING,
  size_bytes: INTEGER,
  text: nullable(STRING),
});
export type WireArtifactText = TypeOf<typeof ARTIFACT_TEXT>;
