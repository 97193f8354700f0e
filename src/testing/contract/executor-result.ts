import { isObject } from '../../lib/json.js';

const STATUSES: readonly unknown[] = [
  'success',
  'failure',
  'budget_exceeded',
  'cancelled',
  'needs_approval',
  'stalled',
];
const COUNTS = ['inputTokens', 'outputTokens', 'cachedInputTokens', 'reasoningTokens'];

export const isTextOrNull = (value: unknown): boolean => value === null || typeof value === 'string';

/**
 * Counts are whole numbers from 0; a cost is finite and not negative, or null for unknown. Null =
 * fine.
 */
export function usageProblem(usage: unknown): string | null {
  if (!isObject(usage)) return 'a usage that is not an object';
  const bad = COUNTS.find((name) => !Number.isInteger(usage[name]) || Number(usage[name]) < 0);
  if (bad !== undefined) return `a usage whose ${bad} is not a count`;
  const { costUsd } = usage;
  const isCost = costUsd === null || (typeof costUsd === 'number' && Number.isFinite(costUsd) && costUsd >= 0);
  return isCost ? null : 'a usage whose costUsd is neither null nor an amount';
}

/** True for what JSON holds as it is: what is stored is what comes back. */
export function survivesJson(value: unknown): boolean {
  try {
    return value === null || isSame(value, JSON.parse(JSON.stringify(value)));
  } catch {
    return false;
  }
}

function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (
    typeof a !== 'object' ||
    typeof b !== 'object' ||
    a === null ||
    b === null ||
    Array.isArray(a) !== Array.isArray(b)
  )
    return false;
  const [left, right] = [Object.entries(a), new Map(Object.entries(b))];
  return left.length === right.size && left.every(([key, member]) => right.has(key) && isSame(member, right.get(key)));
}

/** What is wrong with the result of an executor, in words; null = nothing. */
export function resultProblem(result: unknown): string | null {
  if (!isObject(result)) return 'no result';
  if (!STATUSES.includes(result.status)) return `the unknown status ${JSON.stringify(result.status)}`;
  if (!isTextOrNull(result.reason)) return 'a reason that is neither null nor a text';
  if (typeof result.message !== 'string') return 'a message that is not text';
  if (!survivesJson(result.output)) return 'an output that JSON does not hold';
  if (!isTextOrNull(result.signal)) return 'a signal that is neither null nor a text';
  if (result.exitCode !== null && !Number.isInteger(result.exitCode))
    return 'an exitCode that is neither null nor a whole number';
  if (typeof result.stderrTail !== 'string') return 'a stderrTail that is not text';
  return result.usage === null ? null : usageProblem(result.usage);
}
