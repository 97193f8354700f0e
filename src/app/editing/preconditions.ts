import { KitError } from '../../domain/errors.js';
import { sha256Hex } from '../../lib/sha256.js';
import type { Preconditions } from './editing-app.js';

/** Strong: two files with one tag are the same byte for byte. */
export const etagOf = (content: Uint8Array | string): string => `"${sha256Hex(content)}"`;

/** Weak tags never match: a change needs the very bytes (RFC 9110, 13.1.1). */
const names = (header: string, etag: string): boolean =>
  header.split(',').some((tag) => tag.trim() === '*' || tag.trim() === etag);

/** Throws KIT_EDIT_STALE. `etag`: of the file as it stands, null = there is none. */
export function assertPreconditions({ ifMatch, ifNoneMatch }: Preconditions, etag: string | null, what: string): void {
  if (ifMatch !== null && (etag === null || !names(ifMatch, etag))) {
    const state = etag === null ? 'it does not exist' : `it is ${etag} now`;
    throw new KitError('KIT_EDIT_STALE', `${what} is not what If-Match names: ${state}`);
  }
  if (ifNoneMatch !== null && etag !== null && names(ifNoneMatch, etag)) {
    throw new KitError('KIT_EDIT_STALE', `${what} exists, and If-None-Match forbids to replace it`, {
      hint: 'Change it without If-None-Match, or choose another id.',
    });
  }
}
