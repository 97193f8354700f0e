/**
 * Member of a record that is its own: a key such as `constructor`, which users may choose as an id,
 * finds nothing else.
 */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
