import { isObject, type Json, type JsonSchema } from '@kit-run/kit/plugin';
import { own } from '../shared/json.js';
import { typesOf } from '../shared/schema.js';
import type { Found } from './node.js';

export type Status =
  | { readonly ok: true; readonly value: string | boolean }
  | { readonly ok: false; readonly reason: string };

export interface StatusRequest {
  readonly nodes: readonly Found[];
  readonly failed: ReadonlySet<string>;
  readonly schema: JsonSchema;
  /**
   * Words from worst to best; the worst that occurs is the status. null = only agreement and
   * `failed` can be judged.
   */
  readonly order: readonly string[] | null;
}

/**
 * The words of a run for a child's end (the job statuses): used for a child that gives no status of
 * its own.
 */
const COMPLETED = 'completed';
const FAILED = 'failed';

/**
 * One status over several: of whole children, of status words, or of truth values. A failed child
 * is never outvoted.
 */
export function statusOf(request: StatusRequest): Status {
  const { nodes, failed, schema } = request;
  if (nodes.length === 0) return { ok: false, reason: 'there is nothing to judge' };
  const hasFailed = nodes.some(({ location }) => typeof location[0] === 'string' && failed.has(location[0]));
  if (typesOf(schema).includes('boolean')) return truthOf(nodes, hasFailed);
  const words = nodes.map(wordOf);
  if (words.some((word) => word === null)) return { ok: false, reason: 'a selected value is not a status' };
  const given = words.filter((word) => word !== null);
  return request.order === null
    ? agreed(hasFailed ? [FAILED, ...given] : given)
    : worst(given, request.order, hasFailed);
}

function truthOf(nodes: readonly Found[], hasFailed: boolean): Status {
  const truths = nodes.map(({ value, location }) =>
    typeof value === 'boolean' ? value : location.length === 1 ? true : null,
  );
  if (truths.includes(null)) return { ok: false, reason: 'a selected value is neither true nor false' };
  return { ok: true, value: !hasFailed && truths.every((truth) => truth === true) };
}

function wordOf({ value, location }: Found): string | null {
  if (typeof value === 'string' && location.length > 1) return value;
  const status: Json | undefined = isObject(value) ? own(value, 'status') : undefined;
  if (typeof status === 'string') return status;
  return location.length === 1 ? COMPLETED : null;
}

function agreed(words: readonly string[]): Status {
  if (words.includes(FAILED)) return { ok: true, value: FAILED };
  const [first] = words;
  if (first !== undefined && words.every((word) => word === first)) return { ok: true, value: first };
  return {
    ok: false,
    reason: `the statuses differ (${[...new Set(words)].join(', ')}); \`x-status\` needs an \`order\``,
  };
}

function worst(words: readonly string[], order: readonly string[], hasFailed: boolean): Status {
  const unknown = words.find((word) => !order.includes(word) && word !== FAILED);
  if (unknown !== undefined)
    return { ok: false, reason: `the status "${unknown}" is not in the \`order\` of \`x-status\`` };
  const [worstWord] = order;
  // A failed child counts as `failed`, or as the worst word there is where the order has no such
  // word.
  const failWord = order.includes(FAILED) ? FAILED : worstWord;
  const occurring = new Set(words.map((word) => (word === FAILED ? failWord : word)));
  if (hasFailed)
    return failWord === undefined
      ? { ok: false, reason: 'a child failed' }
      : { ok: true, value: firstOf(order, occurring.add(failWord)) ?? failWord };
  const value = firstOf(order, occurring);
  return value === undefined ? { ok: false, reason: 'there is nothing to judge' } : { ok: true, value };
}

function firstOf(order: readonly string[], occurring: ReadonlySet<string | undefined>): string | undefined {
  return order.find((word) => occurring.has(word));
}
