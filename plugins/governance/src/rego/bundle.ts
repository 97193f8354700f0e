import { gunzipSync } from 'node:zlib';

/** What of an OPA bundle decides. */
export interface Bundle {
  readonly wasm: Uint8Array;
  /** The documents under `data`; null = the bundle has none. */
  readonly data: object | null;
}

const BLOCK = 512;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Reads what `opa build -t wasm` writes: a gzipped tar with `policy.wasm` and `data.json`. Throws
 * with a sentence. Source: POSIX ustar,
 * https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html
 */
export function readBundle(bytes: Uint8Array): Bundle {
  const tar = gunzipSync(bytes, { maxOutputLength: MAX_BYTES });
  let wasm: Uint8Array | null = null;
  let data: object | null = null;
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0; ) {
    const size = Number.parseInt(ascii(tar, at + 124, 12), 8);
    if (!Number.isInteger(size) || size < 0) throw new Error('the bundle is not a tar archive');
    const name = ascii(tar, at, 100).replace(/^\.?\//, '');
    const body = tar.subarray(at + BLOCK, at + BLOCK + size);
    if (name === 'policy.wasm') wasm = body;
    if (name === 'data.json') data = parseData(body);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  if (wasm === null) throw new Error('the bundle holds no policy.wasm; build it with `-t wasm`');
  return { wasm, data };
}

function parseData(body: Uint8Array): object {
  const data: unknown = JSON.parse(new TextDecoder().decode(body));
  if (typeof data !== 'object' || data === null) throw new Error('data.json of the bundle is not an object');
  return data;
}

/** A field of a header: text up to the first NUL. */
function ascii(tar: Uint8Array, start: number, length: number): string {
  const text = Buffer.from(tar.subarray(start, start + length)).toString('latin1');
  const [field = ''] = text.split('\0', 1);
  return field.trim();
}
