import { compare } from '../../lib/compare.js';

/**
 * Keys of steps in the order of their call sites: numbers in them count as numbers, `c2` comes
 * before `c10`.
 */
export function compareKeys(a: string, b: string): number {
  const [left, right] = [a.split('/'), b.split('/')];
  for (let at = 0; at < Math.min(left.length, right.length); at += 1) {
    const order = compareParts(left[at] ?? '', right[at] ?? '');
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

const NUMBERED = /^([a-z])(\d+)(.*)$/;

function compareParts(a: string, b: string): number {
  const [left, right] = [NUMBERED.exec(a), NUMBERED.exec(b)];
  if (left !== null && right !== null && left[1] === right[1] && left[2] !== right[2])
    return Number(left[2]) - Number(right[2]);
  return compare(a, b);
}
