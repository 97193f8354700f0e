import { isKitError } from '../../domain/errors.js';
import type { GateRound, ReviewItem } from '../../domain/gates.js';
import type { Stores } from '../../domain/ports/stores.js';

/**
 * Why nobody can see what an open role task is about, in a clause: its bytes, or those of its diff,
 * are gone or altered. Null: they can be read, or there is nothing to decide any more. Throws what
 * the artifact store throws where it cannot be asked.
 */
export async function whyUnreadable(
  stores: Pick<Stores, 'artifacts' | 'blobs' | 'reviews'>,
  item: Pick<ReviewItem, 'gateId' | 'round' | 'status'>,
): Promise<string | null> {
  if (item.gateId === null || item.status !== 'pending') return null;
  const round = await stores.reviews.gate(item.gateId, item.round);
  return round === null ? null : unreadable(stores, round);
}

async function unreadable(
  { artifacts, blobs }: Pick<Stores, 'artifacts' | 'blobs'>,
  round: GateRound,
): Promise<string | null> {
  const { diffSha256 } = round.evidence;
  const parts = [
    { name: 'its bytes', read: () => artifacts.read(round.sha256) },
    ...(diffSha256 === null
      ? []
      : [
          {
            name: 'the bytes of its diff',
            read: async () => (await artifacts.read(diffSha256)) ?? blobs.get(diffSha256),
          },
        ]),
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
