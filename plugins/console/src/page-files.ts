import { readdir, readFile } from 'node:fs/promises';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

/** A file of the pages. */
export interface PageFile {
  readonly mediaType: string;
  readonly bytes: Buffer;
  /** Compressed once, when somebody first takes it so. */
  readonly packed: () => Buffer;
  /** Its name changes with its bytes. */
  readonly isHashed: boolean;
}

export interface PageFiles {
  /**
   * `assets/index-1a2b.js`; undefined = there is none. Nothing outside of the folder has a name.
   */
  readonly named: (path: string) => PageFile | undefined;
  /** The one page, which every address below `/console` gets. */
  readonly page: PageFile;
}

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** Where the build puts files whose names hold a digest. */
const HASHED = 'assets/';

/** All files below `folder`: a request names one of them, and never a path of the disk. */
export async function readPageFiles(folder: URL): Promise<PageFiles> {
  const root = fileURLToPath(folder);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const found = await Promise.all(
    entries
      .filter((entry) => entry.isFile())
      .map(async ({ parentPath, name }) => {
        const path = `${parentPath}/${name}`;
        return [path.slice(root.length).replace(/^\/+/, '').replaceAll('\\', '/'), await readFile(path)] as const;
      }),
  );
  const files = new Map(found.map(([path, bytes]) => [path, pageFile(path, bytes)]));
  const page = files.get('index.html');
  if (page === undefined) throw new Error(`${root} holds no index.html: the pages were not built`);
  return { named: (path) => files.get(path), page };
}

function pageFile(path: string, bytes: Buffer): PageFile {
  let packed: Buffer | undefined;
  return {
    mediaType: MEDIA_TYPES[extname(path)] ?? 'application/octet-stream',
    bytes,
    packed: () => (packed ??= gzipSync(bytes)),
    isHashed: path.startsWith(HASHED),
  };
}
