/**
 * How deep a value that comes from outside may be nested: far deeper than anything meant, and
 * shallow enough for every function that walks through it by calling itself.
 */
export const MAX_DEPTH = 200;

/**
 * Whether a value of JSON is nested deeper than so many levels. It goes level by level: a body of
 * brackets alone exhausts no stack.
 */
export function isDeeper(value: unknown, max = MAX_DEPTH): boolean {
  let level: readonly unknown[] = [value];
  for (let depth = 0; depth <= max; depth++) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (level.length === 0) return false;
  }
  return true;
}

/**
 * Whether a message of JSON-RPC is nested deeper than any that is meant: the levels of an input,
 * and those around it. What checks a message calls itself for each level.
 */
export const isDeepMessage = (message: unknown): boolean => isDeeper(message, MAX_DEPTH + 40);
