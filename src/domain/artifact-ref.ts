import type { ArtifactRecord } from './ports/artifacts.js';

/** The parts of a ref, decoded. */
export interface ArtifactName {
  /** Correlation id; the run id where the run has none. */
  readonly correlation: string;
  readonly runId: string;
  readonly name: string;
}

/** A ref as people write it. */
export interface ParsedRef extends ArtifactName {
  /** The ref without its digest. */
  readonly ref: string;
  /**
   * What stands behind `#`: 12 to 64 lower-case hex characters, the beginning of the SHA-256; null
   * = the newest version.
   */
  readonly digest: string | null;
}

/**
 * Characters of the SHA-256 that a ref shows. For reading alone: whatever compares artifacts takes
 * all 64 (docs/design/decisions.md#digests).
 */
export const REF_DIGEST_CHARS = 12;

const ENCODED: Readonly<Record<string, string>> = { '/': '%2F', '%': '%25', '#': '%23' };
const SEGMENT = '((?:[^/%#]|%2[35Ff])+)';
const REF = new RegExp(`^${SEGMENT}/${SEGMENT}/${SEGMENT}(?:#([0-9a-f]{${REF_DIGEST_CHARS},64}))?$`, 'su');

const encodeSegment = (text: string): string => text.replace(/[/%#]/g, (character) => ENCODED[character] ?? character);
const decodeSegment = (text: string): string =>
  text.replace(/%2[35Ff]/g, (code) => String.fromCharCode(Number.parseInt(code.slice(1), 16)));

/**
 * `<correlation>/<run>/<name>`; in each segment `/`, `%` and `#` are written `%2F`, `%25` and
 * `%23`.
 */
export const artifactRef = ({ correlation, runId, name }: ArtifactName): string =>
  [correlation, runId, name].map(encodeSegment).join('/');

/** The ref of one version: `<ref>#<first 12 characters of its SHA-256>`. */
export const refWithDigest = ({ ref, sha256 }: Pick<ArtifactRecord, 'ref' | 'sha256'>): string =>
  `${ref}#${sha256.slice(0, REF_DIGEST_CHARS)}`;

/**
 * Null for what is not a ref: not three segments that are not empty, a `%` that encodes nothing,
 * another kind of digest. Never throws.
 */
export function parseArtifactRef(text: string): ParsedRef | null {
  const [, ...segments] = REF.exec(text) ?? [];
  const [correlation = '', runId = '', name = ''] = segments.slice(0, 3).map((segment) => decodeSegment(segment ?? ''));
  if (name === '') return null;
  return { ref: artifactRef({ correlation, runId, name }), correlation, runId, name, digest: segments[3] ?? null };
}
