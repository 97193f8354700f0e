import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { SealedRow } from '../domain/ports/sealed-rows.js';
import { sha256Hex } from '../lib/sha256.js';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** 32 bytes, and the name by which rows say what they were sealed with. */
export interface VaultKeyBytes {
  readonly id: string;
  readonly bytes: Uint8Array;
}

export const vaultKeyOf = (bytes: Uint8Array): VaultKeyBytes => ({
  id: sha256Hex(Buffer.concat([Buffer.from('kit vault key\n'), bytes])).slice(0, 12),
  bytes,
});

type Unsealed = Omit<SealedRow, 'sealed'>;

/** Everything of a row but its secret: it is authenticated with it, so that no byte can change. */
const associated = ({ space, kind, name, owner, keyId, revision, writtenAt }: Unsealed): Buffer =>
  Buffer.from(JSON.stringify(['kit vault 1', keyId, space, kind, name, owner, revision, writtenAt]));

/** The row with `text` sealed into it, under a nonce of its own. */
export function seal(key: VaultKeyBytes, row: Omit<Unsealed, 'keyId'>, text: string): SealedRow {
  const named = { ...row, keyId: key.id };
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key.bytes, nonce, { authTagLength: TAG_BYTES });
  cipher.setAAD(associated(named));
  const hidden = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return { ...named, sealed: Buffer.concat([nonce, hidden, cipher.getAuthTag()]).toString('base64') };
}

/** The text of a row; null where any byte of the row is another one than was written. */
export function unseal(key: VaultKeyBytes, row: SealedRow): string | null {
  const bytes = Buffer.from(row.sealed, 'base64');
  // Two texts of base64 may name the same bytes.
  if (bytes.toString('base64') !== row.sealed || bytes.length < NONCE_BYTES + TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, key.bytes, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES });
  decipher.setAAD(associated(row));
  decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]).toString();
  } catch {
    return null;
  }
}
