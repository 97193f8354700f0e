import { isKitError, KitError } from '../../domain/errors.js';
import type { GateRound, ReviewItem } from '../../domain/gates.js';
import type { Stores } from '../../domain/ports/stores.js';

/**
 * Nobody signs what nobody can see: the bytes of an open role task are read before anything is
 * recorded. Throws KIT_ARTIFACT_CORRUPT where they are gone or altered, and what the artifact store
 * throws where it cannot be asked.
 */
export async function assertReadable(
  stores: Pick<Stores, 'artifacts' | 'blobs' | 'reviews'>,
  item: Pick<ReviewItem, 'gateId' | 'round' | 'status' | 'jobId'>,
): Promise<void> {
  if (item.gateId === null || item.status !== 'pending') return;
  const round = await stores.reviews.gate(item.gateId, item.round);
  if (round === null) return;
  const why = await whyUnreadable(stores, round);
  if (why === null) return;
  throw new KitError('KIT_ARTIFACT_CORRUPT', `${round.artifactRef} cannot be decided about: ${why}; nothing is recorded`, {
    hint: `Restore the store from a backup and decide then, or give the run up: kit stop ${item.jobId}`,
    data: { gate_id: round.gateId, round: round.round, sha256: round.sha256 },
  });
}

async function whyUnreadable(
  { artifacts, blobs }: Pick<Stores, 'artifacts' | 'blobs'>,
  round: GateRound,
): Promise<string | null> {
  const { diffSha256 } = round.evidence;
  const parts = [
    { name: 'its bytes', read: () => artifacts.read(round.sha256) },
    ...(diffSha256 === null
      ? []
      : [{ name: 'the bytes of its diff', read: async () => (await artifacts.read(diffSha256)) ?? blobs.get(diffSha256) }]),
  ];
  for (const { name, read } of parts) {
    try {
      if ((await read()) === null) return `${name} are gone from the store`;
    } catch (error) {
      if (!isKitError(error) || error.code !== 'KIT_ARTIFACT_CORRUPT') throw error;
      return `${name} have another digest`;
    }
  }
  return null;
}
