/** Most keys that are named. */
const NAMED = 5;

/**
 * Of keys that are paths those that begin like `key`, the ones that share most of it first; [] =
 * none begins like it.
 */
export function nearKeys(key: string, keys: readonly string[]): readonly string[] {
  const wanted = key.split('/');
  const shared = (one: string): number => {
    const parts = one.split('/');
    const differs = parts.findIndex((part, index) => part !== wanted[index]);
    return differs < 0 ? parts.length : differs;
  };
  return keys
    .map((one) => ({ one, depth: shared(one) }))
    .filter(({ depth }) => depth > 0)
    .toSorted((a, b) => b.depth - a.depth)
    .slice(0, NAMED)
    .map(({ one }) => one);
}
