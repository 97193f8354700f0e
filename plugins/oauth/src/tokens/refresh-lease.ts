import type { VaultLease } from '@kit-run/kit/plugin';
import type { Parts } from '../parts.js';
import { type Picked, pickToken } from './pick-token.js';

/** Longer than a provider may take to answer. */
const LEASE_MS = 30_000;
/** How long another process is waited for: its lease, and one try of our own. */
export const PATIENCE_MS = 2 * LEASE_MS;
/** Time between two looks. */
export const LOOK_MS = 100;

/** The right to refresh this token alone; null = another process has it. */
export const refreshLease = ({ vault }: Pick<Parts, 'vault'>, { entry }: Picked): Promise<VaultLease | null> =>
  vault.lease(`refresh ${JSON.stringify([entry.name, entry.owner])}`, LEASE_MS);

/**
 * The row once no other process asks the provider for a new token: providers may end the old one
 * before the new one is written. Throws what `pickToken` throws.
 */
export async function settledToken(parts: Parts, use: Parameters<typeof pickToken>[1]): Promise<Picked> {
  const startedMs = performance.now();
  for (;;) {
    const picked = await pickToken(parts, use);
    if (picked.row.askedAt === null || performance.now() - startedMs > PATIENCE_MS) return picked;
    const lease = await refreshLease(parts, picked);
    // Nobody asks any more: whoever had it has written just now, or died.
    if (lease !== null) {
      await lease.letGo();
      return pickToken(parts, use);
    }
    await parts.clock.sleep(LOOK_MS, parts.signal);
  }
}
