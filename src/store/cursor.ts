import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { KitError } from '../domain/errors.js';

/** Turns positions of one log into opaque cursors and back. */
export interface CursorCodec {
  encode(pos: number): string;
  /** Throws KIT_CURSOR_INVALID for anything that this log did not issue. */
  decode(cursor: string): number;
}

const FORMAT = 1;
const POS_BYTES = 8;
const MAC_BYTES = 12;
const POS_AT = 1;
const MAC_AT = POS_AT + POS_BYTES;

/**
 * A cursor is format, position and a MAC over them and the log id, with a key that lies in the
 * store: it survives restarts and moves with the log, and another log's cursor is refused instead
 * of being read as a place in this one (docs/design/journal.md#cursors). Filters are not part of
 * it.
 */
export function createCursorCodec(logId: string, key: Uint8Array): CursorCodec {
  // Made ready once: with the bytes of the key each MAC costs six times as much, and a page of the
  // log needs one for each event.
  const secret = createSecretKey(key);
  const macOf = (head: Uint8Array): Buffer =>
    createHmac('sha256', secret).update(logId).update(head).digest().subarray(0, MAC_BYTES);
  return {
    encode(pos) {
      const bytes = Buffer.alloc(MAC_AT + MAC_BYTES);
      bytes.writeUInt8(FORMAT, 0);
      bytes.writeBigUInt64BE(BigInt(pos), POS_AT);
      macOf(bytes.subarray(0, MAC_AT)).copy(bytes, MAC_AT);
      return bytes.toString('base64url');
    },
    decode(cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      // Node skips what is not base64url; only the text that was issued may pass.
      const isOurs =
        bytes.length === MAC_AT + MAC_BYTES &&
        bytes.toString('base64url') === cursor &&
        bytes.readUInt8(0) === FORMAT &&
        timingSafeEqual(macOf(bytes.subarray(0, MAC_AT)), bytes.subarray(MAC_AT));
      if (!isOurs) throw new KitError('KIT_CURSOR_INVALID', 'this cursor was not issued by this event log');
      return Number(bytes.readBigUInt64BE(POS_AT));
    },
  };
}
