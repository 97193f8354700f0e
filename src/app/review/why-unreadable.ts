import { isKitError } from '../../domain/errors.js';
import type { GateRound, ReviewItem } from '../../domain/gates.js';
import type { Stores } from '../../domain/ports/stores.js';
import { signedDiff } from '../../govern/approval/signed-diff.js';
import { utf8Text } from '../../lib/utf8.js';

/**
 * Why nobody can see what an open role task is about, in a clause: its bytes, or those of its diff,
 * are gone or altered. Null: they can be read, or there is nothing to decide any more. Throws what
 * the artifact store throws where it cannot be asked.
 */
export async function whyUnreadable(
  stores: Pick<Stores, 'artifacts' | 'reviews'>,
  item: Pick<ReviewItem, 'gateId' | 'round' | 'status'>,
): Promise<string | null> {
  if (item.gateId === null || item.status !== 'pending') return null;
  const round = await stores.reviews.gate(item.gateId, item.round);
  return round === null ? null : unreadable(stores, round);
}

async function unreadable({ artifacts }: Pick<Stores, 'artifacts'>, round: GateRound): Promise<string | null> {
  try {
    const bytes = await artifacts.read(round.sha256);
    if (bytes === null) return 'its bytes are gone from the store';
    const { diffSha256 } = round.evidence;
    if (diffSha256 === null || signedDiff(utf8Text(bytes) ?? '', diffSha256) !== null) return null;
    return 'the diff in its bytes has another digest';
  } catch (error) {
    if (!isKitError(error) || error.code !== 'KIT_ARTIFACT_CORRUPT') throw error;
    return 'its bytes have another digest';
  }
}
