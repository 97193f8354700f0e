/** One entry of a tar archive. `link` covers symbolic links alone. */
export interface TarEntry {
  readonly path: string;
  readonly kind: 'file' | 'link' | 'folder' | 'other';
  /** Where a link leads, as written; null for everything else. */
  readonly target: string | null;
  readonly body: Uint8Array;
}

const BLOCK = 512;
const KINDS: Readonly<Record<string, TarEntry['kind']>> = {
  '': 'file',
  '0': 'file',
  '7': 'file',
  '2': 'link',
  '5': 'folder',
};

const textOf = (bytes: Uint8Array): string => {
  const end = bytes.indexOf(0);
  return new TextDecoder().decode(end < 0 ? bytes : bytes.subarray(0, end));
};

/** Records `<length> <key>=<value>\n`; the length counts bytes, itself included. */
function paxRecords(body: Uint8Array): ReadonlyMap<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < body.length; ) {
    const space = body.indexOf(0x20, at);
    const length = space < 0 ? Number.NaN : Number(textOf(body.subarray(at, space)));
    if (!Number.isInteger(length) || length <= space - at + 1 || at + length > body.length)
      throw new Error('a header of the archive is cut off');
    const [key = '', ...value] = textOf(body.subarray(space + 1, at + length - 1)).split('=');
    records.set(key, value.join('='));
    at += length;
  }
  return records;
}

/**
 * Reads an uncompressed tar archive: ustar, with long names of pax and of GNU. Names come as they
 * stand, also hostile ones. Throws an Error with a sentence for what is not an archive, or has more
 * than `maxEntries`. Source: POSIX pax,
 * https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html
 */
export function readTar(tar: Uint8Array, maxEntries: number): readonly TarEntry[] {
  const entries: TarEntry[] = [];
  const next = { path: null as string | null, target: null as string | null };
  for (let at = 0; at + BLOCK <= tar.length && tar[at] !== 0; ) {
    const header = tar.subarray(at, at + BLOCK);
    const field = (from: number, length: number): string => textOf(header.subarray(from, from + length));
    const digits = field(124, 12).trim();
    const size = /^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : Number.NaN;
    if (!Number.isSafeInteger(size) || at + BLOCK + size > tar.length)
      throw new Error('it is not a tar archive, or cut off');
    const body = tar.subarray(at + BLOCK, at + BLOCK + size);
    const type = field(156, 1).trim();
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    if (type === 'g') continue;
    if (type === 'x') {
      const records = paxRecords(body);
      next.path = records.get('path') ?? next.path;
      next.target = records.get('linkpath') ?? next.target;
      continue;
    }
    if (type === 'L') next.path = textOf(body);
    if (type === 'K') next.target = textOf(body);
    if (type === 'L' || type === 'K') continue;
    entries.push(entryAt(field, type, body, next));
    if (entries.length > maxEntries) throw new Error(`it holds more than ${maxEntries} entries`);
    next.path = null;
    next.target = null;
  }
  return entries;
}

function entryAt(
  field: (from: number, length: number) => string,
  type: string,
  body: Uint8Array,
  long: { readonly path: string | null; readonly target: string | null },
): TarEntry {
  const kind = KINDS[type] ?? 'other';
  const prefix = field(257, 5) === 'ustar' ? field(345, 155) : '';
  return {
    path: long.path ?? (prefix === '' ? field(0, 100) : `${prefix}/${field(0, 100)}`),
    kind,
    target: kind === 'link' ? (long.target ?? field(157, 100)) : null,
    body,
  };
}
