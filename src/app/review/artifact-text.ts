import type { GateRound } from '../../domain/gates.js';
import type { Stores } from '../../domain/ports/stores.js';
import type { ArtifactText } from './review-app.js';

/** The bytes that a round is about, as text where they are one. Throws KIT_ARTIFACT_CORRUPT. */
export async function artifactText({ artifacts }: Pick<Stores, 'artifacts'>, round: GateRound): Promise<ArtifactText> {
  const bytes = await artifacts.read(round.sha256);
  const { artifactRef: ref, sha256, mediaType } = round;
  return { ref, sha256, mediaType, sizeBytes: bytes?.byteLength ?? 0, text: bytes === null ? null : textOf(bytes) };
}

/** Null for bytes that are no UTF-8 text. */
export function textOf(bytes: Uint8Array): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
