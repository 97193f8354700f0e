import { createHash } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { KitError } from '../../domain/errors.js';
import type { OpenedSource, SourceBounds, SourceEntry } from '../../domain/ports/workspace-sources.js';
import { readTar, type TarEntry } from '../../lib/tar.js';

const inflate = promisify(gunzip);

/** What `npm pack` writes lies below one folder, `package/`; a way upwards is not such a folder. */
const belowPackage = (path: string): string => path.replace(/^(?!\.\.?\/)[^/]+\//, '');

const entryOf = ({ path, kind, target, body }: TarEntry): SourceEntry => ({
  path: belowPackage(path),
  kind: kind === 'folder' ? 'other' : kind,
  bytes: body.length,
  target,
});

async function unpacked(file: string, { maxEntries, maxTotalBytes }: SourceBounds) {
  const refuse = (why: string): never => {
    throw new KitError('KIT_USAGE', `--from: ${file}: ${why}`, {
      hint: 'Give what `npm pack` wrote of a workspace. Nothing was written.',
    });
  };
  if ((await stat(file)).size > maxTotalBytes) refuse(`it has more than ${maxTotalBytes} bytes`);
  const bytes = await readFile(file);
  try {
    // Twice the bound: headers and padding count here, and what is left out.
    const tar = await inflate(bytes, { maxOutputLength: 2 * maxTotalBytes });
    return { bytes, entries: readTar(tar, 2 * maxEntries) };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    if (code === 'ERR_BUFFER_TOO_LARGE') return refuse(`it unpacks to more than ${2 * maxTotalBytes} bytes`);
    return refuse(code === undefined && error instanceof Error ? error.message : 'it is not a gzipped tar archive');
  }
}

/** An archive as `npm pack` writes it. It is read in memory, and unpacked nowhere. */
export async function openTarball(file: string, bounds: SourceBounds): Promise<OpenedSource> {
  const { bytes, entries } = await unpacked(file, bounds);
  const kept = entries.filter(({ kind }) => kind !== 'folder');
  // Of two entries by one name the last one holds, as for tar itself.
  const bodies = new Map(kept.map((entry) => [belowPackage(entry.path), entry]));
  return {
    origin: { kind: 'tarball', path: file, integrity: `sha512-${createHash('sha512').update(bytes).digest('base64')}` },
    entries: [...bodies.values()].map(entryOf),
    read: async (paths) => new Map(paths.map((path) => [path, bodies.get(path)?.body ?? new Uint8Array()])),
    close: async () => {},
  };
}
