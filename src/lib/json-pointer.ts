/** One place that does not fit: `/a/0: is missing`; `/` is the whole. */
export const issueText = ({ pointer, message }: { readonly pointer: string; readonly message: string }): string =>
  `${pointer || '/'}: ${message}`;

/** The names that an RFC 6901 pointer goes through, decoded; none for that of the whole. */
export const pointerParts = (pointer: string): readonly string[] =>
  pointer === ''
    ? []
    : pointer
        .slice(1)
        .split('/')
        .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

/** The value at an RFC 6901 pointer inside plain JSON data; undefined when nothing is there. */
export function atPointer(value: unknown, pointer: string): unknown {
  let current: unknown = value;
  for (const name of pointerParts(pointer)) {
    if (current === null || typeof current !== 'object') return undefined;
    current = Object.hasOwn(current, name) ? Reflect.get(current, name) : undefined;
  }
  return current;
}
