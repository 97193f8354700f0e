import { Buffer } from 'node:buffer';

/** 16 or 32 bytes in hexadecimal digits. */
const DIGITS = /^(?:[0-9a-f]{32}|[0-9a-f]{64})$/;
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/**
 * A digest as the bytes that it tells of: half of its text. What is not one stays text: a row that
 * somebody has damaged is shown as it is. The views of migration 20 are the way back.
 */
export const packedDigest = (text: string): Uint8Array | string =>
  DIGITS.test(text) ? Buffer.from(text, 'hex') : text;

/** The same for the id of an event: 16 bytes for 36 characters. */
export const packedId = (text: string): Uint8Array | string =>
  UUID.test(text) ? Buffer.from(text.replaceAll('-', ''), 'hex') : text;
