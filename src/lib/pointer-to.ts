/** One step of an RFC 6901 pointer, decoded. */
export type Segment = string | number;

const encode = (segment: Segment): string => String(segment).replaceAll('~', '~0').replaceAll('/', '~1');

/** Appends segments to a pointer; `pointerTo('', 'a', 0)` is `/a/0`. */
export const pointerTo = (base: string, ...segments: readonly Segment[]): string =>
  segments.reduce<string>((path, segment) => `${path}/${encode(segment)}`, base);
