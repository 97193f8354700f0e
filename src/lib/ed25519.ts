import { createPublicKey, verify } from 'node:crypto';
import { sha256Hex } from './sha256.js';

/** A public key is 32 raw bytes; keys and signatures travel as base64 in its one canonical form. */
const PUBLIC_KEY_BYTES = 32;
const SIGNATURE_BYTES = 64;
/** DER of an Ed25519 SubjectPublicKeyInfo up to the key's own bytes (RFC 8410). */
const SPKI_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');

/** First 16 hex characters of the SHA-256 of the raw public key: what people compare by eye. */
export const keyIdOf = (publicKey: Uint8Array): string => sha256Hex(publicKey).slice(0, 16);

/**
 * The bytes of base64 text in its canonical form and of this length; null for anything else. Unused
 * bits that are set would let two texts name one value.
 */
export function bytesOfBase64(text: string, length: number): Uint8Array | null {
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === length && bytes.toString('base64') === text ? bytes : null;
}

/** The raw bytes of a public key from base64 text; null when it is none. */
export const publicKeyOf = (text: string): Uint8Array | null => bytesOfBase64(text, PUBLIC_KEY_BYTES);

/**
 * Whether `signature` (base64) over the UTF-8 bytes of `body` was made with the key; false for
 * malformed values too.
 */
export function isSignedBy(publicKey: Uint8Array, body: string, signature: string): boolean {
  const bytes = bytesOfBase64(signature, SIGNATURE_BYTES);
  if (bytes === null || publicKey.length !== PUBLIC_KEY_BYTES) return false;
  const key = createPublicKey({ key: Buffer.concat([SPKI_PREFIX, publicKey]), format: 'der', type: 'spki' });
  return verify(null, Buffer.from(body), key, bytes);
}
