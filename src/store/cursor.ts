import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { KitError } from '../domain/errors.js';

/** A place in the log: behind the event at `pos`. */
export interface LogPlace {
  readonly pos: number;
  /** First hex digits of that event's hash; null = nobody looks whether it is still the same. */
  readonly mark: string | null;
}

/** Turns places in one log into opaque cursors and back. */
export interface CursorCodec {
  encode(place: LogPlace): string;
  /** Throws KIT_CURSOR_INVALID for anything that this log did not issue. */
  decode(cursor: string): LogPlace;
}

const POS_AT = 1;
const MARK_AT = POS_AT + 8;
const MARK_BYTES = 6;
const MAC_BYTES = 12;

/** By the first byte: how many bytes stand before the MAC. */
const HEADS: ReadonlyMap<number, number> = new Map([
  [1, MARK_AT],
  [2, MARK_AT + MARK_BYTES],
]);

/** What a cursor keeps of the hash of an event; null where the event has none. */
export const markOf = (hash: string): string | null =>
  hash.length < MARK_BYTES * 2 ? null : hash.slice(0, MARK_BYTES * 2);

/**
 * A cursor is format, position, the mark of the event that lies there, and a MAC over them and the
 * log id, with a key that lies in the store: it survives restarts and moves with the log, and
 * another log's cursor is refused instead of being read as a place in this one
 * (docs/design/journal.md#cursors). Format 1 has no mark. Filters are not part of it.
 */
export function createCursorCodec(logId: string, key: Uint8Array): CursorCodec {
  // Made ready once: with the bytes of the key each MAC costs six times as much, and a page of the
  // log needs one for each event.
  const secret = createSecretKey(key);
  const macOf = (head: Uint8Array): Buffer =>
    createHmac('sha256', secret).update(logId).update(head).digest().subarray(0, MAC_BYTES);
  return {
    encode({ pos, mark }) {
      const head = Buffer.alloc(mark === null ? MARK_AT : MARK_AT + MARK_BYTES);
      head.writeUInt8(mark === null ? 1 : 2, 0);
      head.writeBigUInt64BE(BigInt(pos), POS_AT);
      if (mark !== null) head.write(mark, MARK_AT, 'hex');
      return Buffer.concat([head, macOf(head)]).toString('base64url');
    },
    decode(cursor) {
      const bytes = Buffer.from(cursor, 'base64url');
      const macAt = HEADS.get(bytes[0] ?? 0) ?? 0;
      // Node skips what is not base64url; only the text that was issued may pass.
      const isOurs =
        macAt > 0 &&
        bytes.length === macAt + MAC_BYTES &&
        bytes.toString('base64url') === cursor &&
        timingSafeEqual(macOf(bytes.subarray(0, macAt)), bytes.subarray(macAt));
      if (!isOurs) throw new KitError('KIT_CURSOR_INVALID', 'this cursor was not issued by this event log');
      const mark = bytes.toString('hex', MARK_AT, macAt);
      return { pos: Number(bytes.readBigUInt64BE(POS_AT)), mark: mark === '' ? null : mark };
    },
  };
}
