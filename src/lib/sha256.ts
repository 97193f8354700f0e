import { hash } from 'node:crypto';

/** SHA-256 of text (UTF-8) or bytes, as 64 lower-case hex characters. */
export function sha256Hex(data: string | Uint8Array): string {
  return hash('sha256', data, 'hex');
}
