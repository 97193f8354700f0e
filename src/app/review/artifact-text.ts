import { parseArtifactRef } from '../../domain/artifact-ref.js';
import type { GateRound } from '../../domain/gates.js';
import type { Stores } from '../../domain/ports/stores.js';
import { utf8Text } from '../../lib/utf8.js';
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
  const text = bytes === null ? null : utf8Text(bytes);
  const name = parseArtifactRef(ref)?.name ?? ref;
  return { ref, name, sha256, mediaType, sizeBytes: bytes?.byteLength ?? 0, text: text === null ? null : mask(text) };
}
