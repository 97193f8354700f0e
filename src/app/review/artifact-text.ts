import { parseArtifactRef } from '../../domain/artifact-ref.js';
import type { GateRound } from '../../domain/gates.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { ArtifactText } from './review-app.js';

/**
 * The bytes that a round is about, as text where they are one; secrets that `mask` knows are taken
 * out of what is shown. Throws KIT_ARTIFACT_CORRUPT.
 */
export async function artifactText(
  { artifacts }: Pick<Stores, 'artifacts'>,
  round: GateRound,
  mask: (text: string) => string = (text) => text,
): Promise<ArtifactText> {
  const bytes = await artifacts.read(round.sha256);
  const { artifactRef: ref, sha256, mediaType } = round;
  const text = bytes === null ? null : textOf(bytes);
  const name = parseArtifactRef(ref)?.name ?? ref;
  return { ref, name, sha256, mediaType, sizeBytes: bytes?.byteLength ?? 0, text: text === null ? null : mask(text) };
}

/** Null for bytes that are not UTF-8 text. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
