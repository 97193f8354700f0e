import { isObject } from '../lib/json.js';
import type { ReviewItem } from './gates.js';
import type { Json } from './json.js';

/**
 * Details of an item, with the ids of roles and names of persons to whom its answer is left; none
 * named: as they are.
 */
export function withApprovers(details: Json, approvers: readonly string[]): Json {
  if (approvers.length === 0) return details;
  return { ...(isObject(details) ? details : { about: details }), approvers: [...approvers] };
}

/**
 * Ids of roles and names of persons to whom the answer of a permission is left; [] = nobody in
 * particular.
 */
export function approversOf({ kind, details }: Pick<ReviewItem, 'kind' | 'details'>): readonly string[] {
  const named = kind === 'permission' && isObject(details) ? details.approvers : undefined;
  return Array.isArray(named) ? named.filter((name): name is string => typeof name === 'string') : [];
}

/**
 * Whether an answer counts that was left to `asked`, where it is left to `now`. [] = nobody in
 * particular. What authorises is live: whoever may answer no more has not answered.
 */
export const isLeftTo = (asked: readonly string[], now: readonly string[]): boolean =>
  now.length === 0 || (asked.length > 0 && asked.every((name) => now.includes(name)));
