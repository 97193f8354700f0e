/** The value at an RFC 6901 pointer inside plain JSON data; undefined when nothing is there. */
export function atPointer(value: unknown, pointer: string): unknown {
  if (pointer === '') return value;
  let current: unknown = value;
  for (const part of pointer.slice(1).split('/')) {
    if (current === null || typeof current !== 'object') return undefined;
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    current = Object.hasOwn(current, name) ? Reflect.get(current, name) : undefined;
  }
  return current;
}
