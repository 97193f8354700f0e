import type { JsonObject } from '../../domain/json.js';
import type { LinkedCommand } from '../../domain/linked-skill.js';

type Tier = LinkedCommand['permission'];
const TIERS: readonly Tier[] = ['open', 'cautious', 'strict', 'readonly'];

export const tierOr = (text: string | null, otherwise: Tier): Tier => TIERS.find((tier) => tier === text) ?? otherwise;

/** Name -> tier, of the entries that name one. */
export const tiersAt = (map: JsonObject | null): Readonly<Record<string, Tier>> =>
  Object.fromEntries(
    Object.entries(map ?? {}).flatMap(([name, word]) => {
      const tier = TIERS.find((known) => known === word);
      return tier === undefined ? [] : [[name, tier] as const];
    }),
  );
