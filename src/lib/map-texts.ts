/**
 * The same plain value with every text in it replaced, those of lists and members too; keys stay.
 */
export function mapTexts<T>(value: T, change: (text: string) => string): T {
  // Only texts change, and each into a text: the shape is that of `value`.
  return mapped(value, change) as T;
}

function mapped(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapped(item, change));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, mapped(member, change)]));
}
