import { damagedBytes } from '../domain/errors.js';
import { sha256Hex } from '../lib/sha256.js';

/** The bytes, when they are what their name says. Throws KIT_STORE_CORRUPT. */
export function undamaged<T extends Uint8Array>(sha256: string, bytes: T): T {
  if (sha256Hex(bytes) !== sha256) throw damagedBytes(sha256);
  return bytes;
}

/** What a digest looks like; nothing else is ever looked up, least of all as a path. */
export const SHA256_HEX = /^[0-9a-f]{64}$/;
