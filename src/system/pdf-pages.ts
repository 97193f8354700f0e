import { Worker } from 'node:worker_threads';
import { packageMissing } from '../domain/optional-packages.js';
import { runnableFile } from './runnable-file.js';

/**
 * What reading one PDF may take. A few kilobytes can unfold to gigabytes, and no reader of PDFs has
 * a bound of its own.
 */
export interface PdfLimits {
  readonly timeoutMs: number;
  /** Beside the heap: what compressed parts unfold to. */
  readonly maxBufferBytes: number;
  readonly maxHeapBytes: number;
  /** Of all pages together. */
  readonly maxTextChars: number;
}

const MIB = 1024 * 1024;
/**
 * A document of 10 MiB (docs/knowledge.md) with a thousand pages of text stays far below each of
 * them.
 */
const LIMITS: PdfLimits = {
  timeoutMs: 30_000,
  maxBufferBytes: 128 * MIB,
  maxHeapBytes: 256 * MIB,
  maxTextChars: 16 * MIB,
};

/** What the thread is given. */
export interface PdfWork extends Pick<PdfLimits, 'maxBufferBytes' | 'maxTextChars'> {
  readonly bytes: Uint8Array;
}

/** What it answers. */
export type PdfAnswer =
  | { readonly pages: readonly string[] }
  | { readonly problem: string }
  | { readonly isReaderMissing: true };

/**
 * The text of each page of a PDF, by the text layer that its author put there: a scan has none, and
 * its pages are empty. It is read in a thread of its own (unpdf: PDF.js without what draws), so
 * that a document which never comes to an end holds up nobody and takes no more than `limits`.
 *
 * Rejects for what is not a PDF, for one that wants a password, and for one that is not read within
 * the limits. KIT_PACKAGE_MISSING: unpdf is not installed.
 */
export async function pdfPages(bytes: Uint8Array, limits: PdfLimits = LIMITS): Promise<readonly string[]> {
  const { timeoutMs, maxBufferBytes, maxHeapBytes, maxTextChars } = limits;
  const worker = new Worker(runnableFile(new URL('./pdf-thread.ts', import.meta.url)), {
    execArgv: [],
    env: {},
    workerData: { bytes: new Uint8Array(bytes), maxBufferBytes, maxTextChars } satisfies PdfWork,
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(maxHeapBytes / MIB) },
  });
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    void worker.terminate();
  }, timeoutMs);
  try {
    const answer = await new Promise<PdfAnswer>((resolve, reject) => {
      // What comes over is what the thread has written.
      worker.once('message', (said: PdfAnswer) => resolve(said));
      worker.once('error', reject);
      worker.once('exit', () =>
        reject(new Error(isLate ? `it was not read within ${timeoutMs} ms` : 'its reader ended without an answer')),
      );
    });
    if ('isReaderMissing' in answer) throw packageMissing('unpdf');
    if ('problem' in answer) throw new Error(answer.problem);
    return answer.pages;
  } finally {
    clearTimeout(late);
    await worker.terminate();
  }
}
