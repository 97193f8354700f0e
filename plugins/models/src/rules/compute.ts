import type { Json } from '@kit-run/kit/plugin';
import { isList } from '../shared/json.js';
import type { Selection } from './query.js';

/** What a query found. */
export type Nodes = Extract<Selection, { kind: 'found' }>;

/** A number, or why there is none. */
export type Computed = { readonly ok: true; readonly value: number } | { readonly ok: false; readonly reason: string };

/**
 * How many: members that the query selects count one each; a list that it names as a whole counts
 * its members.
 */
export function countOf({ nodes, isMembers }: Nodes): number {
  return nodes.reduce((total, { value }) => total + (!isMembers && isList(value) ? value.length : 1), 0);
}

/**
 * The sum of the selected numbers; a list of numbers counts with its members. One value that is no
 * number spoils the sum.
 */
export function sumOf({ nodes }: Nodes): Computed {
  const values = nodes.flatMap(({ value }): readonly Json[] => (isList(value) ? value : [value]));
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length !== values.length)
    return { ok: false, reason: `${values.length - numbers.length} of ${values.length} values are not numbers` };
  return { ok: true, value: numbers.reduce((total, value) => total + value, 0) };
}
