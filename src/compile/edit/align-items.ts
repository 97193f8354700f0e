import type { Json } from '../../domain/json.js';
import { canonicalJson } from '../../lib/canonical-json.js';
import { isObject } from '../../lib/json.js';

/**
 * What becomes of one item of a list. `after`: index of the old item behind which a new one stands;
 * -1 = before the first.
 */
export type ItemStep =
  | { readonly do: 'keep'; readonly old: number; readonly next: number }
  | { readonly do: 'remove'; readonly old: number }
  | { readonly do: 'insert'; readonly next: number; readonly after: number };

/** What an item is called: changed members leave it the same item. */
function nameOf(item: Json): string {
  if (!isObject(item)) return `=${canonicalJson(item)}`;
  const name = item.id ?? item.name;
  return typeof name === 'string' ? `#${name}` : `=${canonicalJson(item)}`;
}

/** Longer lists are compared place by place: the table below grows with the square. */
const MAX_CELLS = 250_000;

/** Length of the longest common row of names from each pair of places on. */
function commonRows(old: readonly string[], next: readonly string[]): readonly Uint32Array[] {
  const rows = Array.from({ length: old.length + 1 }, () => new Uint32Array(next.length + 1));
  for (let i = old.length - 1; i >= 0; i--) {
    for (let j = next.length - 1; j >= 0; j--) {
      const same = old[i] === next[j] ? 1 + (rows[i + 1]?.[j + 1] ?? 0) : 0;
      const row = rows[i];
      if (row !== undefined) row[j] = Math.max(same, rows[i + 1]?.[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return rows;
}

function byPlace(old: number, next: number): readonly ItemStep[] {
  const steps: ItemStep[] = [];
  for (let at = 0; at < Math.max(old, next); at++) {
    if (at >= old) steps.push({ do: 'insert', next: at, after: old - 1 });
    else steps.push(at >= next ? { do: 'remove', old: at } : { do: 'keep', old: at, next: at });
  }
  return steps;
}

/**
 * Which items of a list stay, go and come, in order. Items are the same when their `id` (or `name`)
 * is, else when they are equal; between two that stay, as many as possible are taken for changed in
 * place.
 */
export function alignItems(old: readonly Json[], next: readonly Json[]): readonly ItemStep[] {
  if (old.length * next.length > MAX_CELLS) return byPlace(old.length, next.length);
  const [before, wanted] = [old.map(nameOf), next.map(nameOf)];
  const rows = commonRows(before, wanted);
  const steps: ItemStep[] = [];
  let [i, j] = [0, 0];
  const takeGap = (toOld: number, toNext: number): void => {
    while (i < toOld && j < toNext) steps.push({ do: 'keep', old: i++, next: j++ });
    while (i < toOld) steps.push({ do: 'remove', old: i++ });
    while (j < toNext) steps.push({ do: 'insert', next: j++, after: i - 1 });
  };
  let [seekOld, seekNext] = [0, 0];
  while (seekOld < old.length && seekNext < next.length) {
    if (before[seekOld] === wanted[seekNext]) {
      takeGap(seekOld, seekNext);
      steps.push({ do: 'keep', old: i++, next: j++ });
      seekOld += 1;
      seekNext += 1;
    } else if ((rows[seekOld + 1]?.[seekNext] ?? 0) >= (rows[seekOld]?.[seekNext + 1] ?? 0)) seekOld += 1;
    else seekNext += 1;
  }
  takeGap(old.length, next.length);
  return steps;
}
