import type { KnowledgeBase } from '../../domain/knowledge.js';
import type { Clock, Files } from '../../domain/ports/system.js';
import { INDEX_FORMAT } from '../../govern/knowledge/words.js';
import { sha256Hex } from '../../lib/sha256.js';
import { utf8Text } from '../../lib/utf8.js';
import { type KnowledgeProblem, kindOfDocument, MAX_FILE_BYTES, MAX_TOTAL_BYTES } from './documents.js';
import { type ListedDocument, reasonOf, unreadable } from './list-documents.js';

/** A document whose bytes were looked at. */
export interface ReadDocument extends ListedDocument {
  /** Digest of its bytes and the way they are read. */
  readonly digest: string;
  readonly sizeBytes: number;
  /** Null: the digest is known from before, and the bytes were not read again. */
  readonly bytes: Uint8Array | null;
}

/**
 * What is known of the files of this process: digests by path, as long as nothing about the file
 * has changed.
 */
export interface DigestCache {
  readonly clock: Pick<Clock, 'now'>;
  readonly known: Map<string, { readonly stamp: string; readonly digest: string; readonly sizeBytes: number }>;
}

/**
 * Two changes within the same tick of a file system's clock leave one and the same time. A digest
 * is kept only of a file that had been left alone for longer than any such tick when it was read
 * (FAT: 2 s).
 */
const TICK_MS = 3_000;

/** Reads every document of a base; what cannot be taken is a problem that names it. */
export async function readDocuments(
  place: { readonly files: Files; readonly cache: DigestCache | null },
  base: KnowledgeBase,
  listed: readonly ListedDocument[],
): Promise<{ readonly documents: readonly ReadDocument[]; readonly problems: readonly KnowledgeProblem[] }> {
  const documents: ReadDocument[] = [];
  const problems: KnowledgeProblem[] = [];
  let totalBytes = 0;
  for (const one of listed) {
    const read = await readOne(place, base, one);
    if (!('digest' in read)) {
      problems.push(read);
      continue;
    }
    totalBytes += read.sizeBytes;
    if (totalBytes > MAX_TOTAL_BYTES) {
      const message = `the documents of \`${base.path}\` have more than ${MAX_TOTAL_BYTES / 1024 / 1024} MiB together, the first too many is \`${one.path}\``;
      return {
        documents,
        problems: [...problems, { code: 'knowledge.too-large', base: base.id, file: one.path, message }],
      };
    }
    documents.push(read);
  }
  return { documents, problems };
}

async function readOne(
  { files, cache }: { readonly files: Files; readonly cache: DigestCache | null },
  base: KnowledgeBase,
  listed: ListedDocument,
): Promise<ReadDocument | KnowledgeProblem> {
  const { path, realPath } = listed;
  try {
    const askedAtMs = cache?.clock.now() ?? 0;
    const stamp = cache === null ? null : ((await files.stamp?.(realPath)) ?? null);
    const known = cache?.known.get(realPath);
    if (known !== undefined && known.stamp === stamp?.text)
      return { ...listed, digest: known.digest, sizeBytes: known.sizeBytes, bytes: null };
    // Asked before reading: a bound that holds only afterwards is none.
    if (((await files.sizeBytes?.(realPath)) ?? 0) > MAX_FILE_BYTES) return tooLarge(base, path);
    const bytes = await files.readBytes(realPath);
    if (bytes === null) return unreadable(base, path, 'it is gone');
    if (bytes.byteLength > MAX_FILE_BYTES) return tooLarge(base, path);
    if (kindOfDocument(path) !== 'pdf' && decodeText(bytes) === null)
      return { code: 'knowledge.not-text', base: base.id, file: path, message: `\`${path}\` is not UTF-8 text` };
    const facts = { digest: digestOf(path, bytes), sizeBytes: bytes.byteLength };
    if (cache !== null && stamp !== null && askedAtMs - stamp.changedAtMs > TICK_MS)
      cache.known.set(realPath, { ...facts, stamp: stamp.text });
    return { ...listed, ...facts, bytes };
  } catch (error) {
    return unreadable(base, path, reasonOf(error));
  }
}

const tooLarge = (base: KnowledgeBase, path: string): KnowledgeProblem => ({
  code: 'knowledge.too-large',
  base: base.id,
  file: path,
  message: `\`${path}\` has more than ${MAX_FILE_BYTES / 1024 / 1024} MiB`,
});

/** The kind belongs to it: the same bytes under another name may be read in another way. */
export const digestOf = (path: string, bytes: Uint8Array): string =>
  sha256Hex(JSON.stringify({ format: INDEX_FORMAT, kind: kindOfDocument(path), bytes: sha256Hex(bytes) }));

/** Null for what is not UTF-8, and for NUL, which no text holds. */
export function decodeText(bytes: Uint8Array): string | null {
  const text = utf8Text(bytes);
  return text === null || text.includes('\0') ? null : text;
}
