/** What the first bytes of a connection say; `more`: not enough of them are there. */
export type Hello =
  | { readonly kind: 'more' }
  | { readonly kind: 'bad'; readonly why: string }
  | { readonly kind: 'hello'; readonly serverName: string | null; readonly isEncrypted: boolean };

const RECORD_HEAD = 5;
const MAX_RECORD = 16 * 1024 + 256;
/** One that offers keys for after quantum computers has about 2 KiB. */
export const MAX_HELLO = 32 * 1024;

const HANDSHAKE = 22;
const CLIENT_HELLO = 1;
const SERVER_NAME = 0;
const HOST_NAME = 0;
/** Its inner hello names another host, which nobody on the way can read. */
const ENCRYPTED_CLIENT_HELLO = 0xfe0d;

const MORE: Hello = { kind: 'more' };
const bad = (why: string): Hello => ({ kind: 'bad', why });

/** Reads from front to back, and never beyond its end. */
class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  number(size: 1 | 2 | 3): number {
    return this.bytes(size).readUIntBE(0, size);
  }

  bytes(length: number): Buffer {
    if (this.#at + length > this.#bytes.length) throw new RangeError('cut short');
    this.#at += length;
    return this.#bytes.subarray(this.#at - length, this.#at);
  }

  /** Bytes behind a length of so many bytes. */
  part(size: 1 | 2): Reader {
    return new Reader(this.bytes(this.number(size)));
  }
}

/** The handshake within its records, as far as it is there; or why it is none. */
function handshakeOf(bytes: Buffer): Buffer | { readonly why: string } {
  const parts: Buffer[] = [];
  for (let at = 0; at + RECORD_HEAD <= bytes.length; ) {
    if (bytes[at] !== HANDSHAKE || bytes[at + 1] !== 3) return { why: 'it is not TLS' };
    const length = bytes.readUInt16BE(at + 3);
    if (length === 0 || length > MAX_RECORD) return { why: 'its record has no length of TLS' };
    parts.push(bytes.subarray(at + RECORD_HEAD, at + RECORD_HEAD + length));
    at += RECORD_HEAD + length;
  }
  return Buffer.concat(parts);
}

/** The one name that a client asks for; null: none, or several. */
function nameIn(extension: Reader): string | null {
  const list = extension.part(2);
  const kind = list.number(1);
  const name = list.part(2);
  let text = '';
  while (!name.isAtEnd) text += String.fromCharCode(name.number(1));
  return kind === HOST_NAME && list.isAtEnd && extension.isAtEnd ? text : null;
}

function bodyOf(body: Reader): Hello {
  body.bytes(2 + 32); // version and random
  body.part(1); // session
  body.part(2); // ciphers
  body.part(1); // compression
  if (body.isAtEnd) return { kind: 'hello', serverName: null, isEncrypted: false };
  const extensions = body.part(2);
  let serverName: string | null = null;
  let isEncrypted = false;
  const seen = new Set<number>();
  while (!extensions.isAtEnd) {
    const type = extensions.number(2);
    const extension = extensions.part(2);
    // Who reads the first and who reads the last one of two would see different hosts.
    if (seen.has(type)) return bad('an extension of its hello stands there twice');
    seen.add(type);
    if (type === SERVER_NAME) serverName = nameIn(extension);
    if (type === ENCRYPTED_CLIENT_HELLO) isEncrypted = true;
  }
  return body.isAtEnd ? { kind: 'hello', serverName, isEncrypted } : bad('its hello is not a hello of TLS');
}

/** Reads the hello of a client of TLS, whole or not, in one record or in many (RFC 8446). */
export function readHello(bytes: Buffer): Hello {
  if (bytes.length > 0 && bytes[0] !== HANDSHAKE) return bad('it is not TLS');
  const handshake = handshakeOf(bytes);
  if ('why' in handshake) return bad(handshake.why);
  if (handshake.length < 4) return bytes.length > MAX_HELLO ? bad('its hello is too long') : MORE;
  if (handshake[0] !== CLIENT_HELLO) return bad('it does not begin with the hello of a client');
  const length = handshake.readUIntBE(1, 3);
  if (length > MAX_HELLO || bytes.length > 2 * MAX_HELLO) return bad('its hello is too long');
  if (handshake.length < 4 + length) return MORE;
  try {
    return bodyOf(new Reader(handshake.subarray(4, 4 + length)));
  } catch {
    return bad('its hello is not a hello of TLS');
  }
}
