import { isObject, type Json, type JsonSchema } from '@kit-run/kit/plugin';
import { isList, own } from '../shared/json.js';

/**
 * How a schema says where its value comes from; `name` = it does not say, so its own name is looked
 * for.
 */
export type Hint =
  | ComputedHint
  | { readonly kind: 'from'; readonly queries: readonly string[] }
  | { readonly kind: 'name' };

/** A value that is not found but made of what is found. */
export type ComputedHint =
  | { readonly kind: 'count' | 'sum'; readonly queries: readonly string[] }
  | { readonly kind: 'status'; readonly queries: readonly string[]; readonly order: readonly string[] | null };

/**
 * Reads `x-from`, `x-count`, `x-sum` and `x-status`. Throws a sentence about a hint that is no
 * hint.
 */
export function hintOf(schema: JsonSchema): Hint {
  for (const kind of ['from', 'count', 'sum'] as const) {
    const value = own(schema, `x-${kind}`);
    if (value !== undefined) return { kind, queries: queriesOf(value, `x-${kind}`) };
  }
  const status = own(schema, 'x-status');
  if (status === undefined) return { kind: 'name' };
  // `true` stands for the results of all children.
  if (status === true) return { kind: 'status', queries: ['$.*'], order: null };
  if (!isObject(status)) return { kind: 'status', queries: queriesOf(status, 'x-status'), order: null };
  const order = own(status, 'order');
  return {
    kind: 'status',
    queries: queriesOf(own(status, 'from') ?? '$.*', 'x-status.from'),
    order: order === undefined ? null : textsOf(order, 'x-status.order'),
  };
}

function queriesOf(value: Json, keyword: string): readonly string[] {
  return textsOf(typeof value === 'string' ? [value] : value, keyword);
}

function textsOf(value: Json, keyword: string): readonly string[] {
  const texts = isList(value) ? value.filter((item) => typeof item === 'string') : [];
  if (!isList(value) || texts.length === 0 || texts.length !== value.length)
    throw new Error(`\`${keyword}\` is a text or a list of texts`);
  return texts;
}
