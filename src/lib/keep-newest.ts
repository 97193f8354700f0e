/**
 * Puts a key into a map as the newest. Of more than `max` keys the one that was put longest ago
 * goes.
 */
export function keepNewest<K, V>(map: Map<K, V>, max: number, [key, value]: readonly [K, V]): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > max && oldest !== undefined) map.delete(oldest);
}
