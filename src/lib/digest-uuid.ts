import { sha256Hex } from './sha256.js';

/** A UUID of the shape of a version that the same text always gives: what is told once has one. */
export function digestUuid(text: string, version: 4 | 8 = 4): string {
  const hex = sha256Hex(text);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${version}${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
