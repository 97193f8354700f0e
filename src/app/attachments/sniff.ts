import type { AttachmentRef } from '../../domain/job.js';

/** The media types that a run can carry. */
export type CarriedMediaType = AttachmentRef['mediaType'];

/**
 * What the bytes say they are. `carried: false` names the type for the refusal; the file's name is
 * never asked.
 */
export type Sniffed =
  | { readonly carried: true; readonly mediaType: CarriedMediaType }
  | { readonly carried: false; readonly mediaType: string };

const CARRIED: readonly (readonly [CarriedMediaType, (bytes: Uint8Array) => boolean])[] = [
  ['image/png', (bytes) => startsWith(bytes, [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['image/jpeg', (bytes) => startsWith(bytes, [0xff, 0xd8, 0xff])],
  ['image/gif', (bytes) => ['GIF87a', 'GIF89a'].includes(ascii(bytes, 0, 6))],
  ['image/webp', (bytes) => ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WEBP'],
];

/** Types that people try to attach, so that the refusal can name what was found. */
const KNOWN: readonly (readonly [string, (bytes: Uint8Array) => boolean])[] = [
  ['application/pdf', (bytes) => ascii(bytes, 0, 5) === '%PDF-'],
  [
    'application/zip',
    (bytes) => startsWith(bytes, [0x50, 0x4b, 0x03, 0x04]) || startsWith(bytes, [0x50, 0x4b, 0x05, 0x06]),
  ],
  ['application/gzip', (bytes) => startsWith(bytes, [0x1f, 0x8b])],
  ['image/bmp', (bytes) => ascii(bytes, 0, 2) === 'BM' && bytes.length > 26],
  ['image/tiff', (bytes) => startsWith(bytes, [0x49, 0x49, 0x2a, 0x00]) || startsWith(bytes, [0x4d, 0x4d, 0x00, 0x2a])],
  ['image/x-icon', (bytes) => startsWith(bytes, [0x00, 0x00, 0x01, 0x00])],
  ['image/avif', (bytes) => ascii(bytes, 4, 8) === 'ftyp' && ['avif', 'avis'].includes(ascii(bytes, 8, 12))],
  [
    'image/heic',
    (bytes) => ascii(bytes, 4, 8) === 'ftyp' && ['heic', 'heix', 'hevc', 'mif1', 'msf1'].includes(ascii(bytes, 8, 12)),
  ],
  ['video/mp4', (bytes) => ascii(bytes, 4, 8) === 'ftyp'],
  ['audio/wav', (bytes) => ascii(bytes, 0, 4) === 'RIFF' && ascii(bytes, 8, 12) === 'WAVE'],
  ['audio/mpeg', (bytes) => ascii(bytes, 0, 3) === 'ID3'],
  ['audio/ogg', (bytes) => ascii(bytes, 0, 4) === 'OggS'],
  [
    'image/svg+xml',
    (bytes) =>
      /^\s*(<\?xml[^>]*>\s*)?(<!--[\s\S]*?-->\s*)*(<!DOCTYPE svg[^>]*>\s*)?<svg[\s>]/i.test(ascii(bytes, 0, 2048)),
  ],
  ['text/html', (bytes) => /^\s*(<!doctype html|<html)/i.test(ascii(bytes, 0, 512))],
];

/**
 * Reads the media type from the first bytes; text without a known beginning is `text/plain`,
 * anything else octets.
 */
export function sniffMediaType(bytes: Uint8Array): Sniffed {
  const carried = CARRIED.find(([, test]) => test(bytes));
  if (carried !== undefined) return { carried: true, mediaType: carried[0] };
  const known = KNOWN.find(([, test]) => test(bytes));
  return { carried: false, mediaType: known?.[0] ?? (isText(bytes) ? 'text/plain' : 'application/octet-stream') };
}

const startsWith = (bytes: Uint8Array, magic: readonly number[]): boolean =>
  magic.every((byte, index) => bytes[index] === byte);

const ascii = (bytes: Uint8Array, from: number, to: number): string => String.fromCharCode(...bytes.subarray(from, to));

function isText(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, 4096);
  if (head.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(head, { stream: true });
    return true;
  } catch {
    return false;
  }
}
