import { sha256Hex } from '../lib/sha256.js';

/** The bytes of a blob do not have the digest that they are kept under. */
export class BlobDamaged extends Error {
  override readonly name = 'BlobDamaged';
}

/** The bytes, when they are what their name says. Throws BlobDamaged. */
export function undamaged<T extends Uint8Array>(sha256: string, bytes: T): T {
  if (sha256Hex(bytes) !== sha256) throw new BlobDamaged(`blob ${sha256} is damaged: its bytes have another digest`);
  return bytes;
}

/** What a digest looks like; nothing else is ever looked up, least of all as a path. */
export const SHA256_HEX = /^[0-9a-f]{64}$/;
