import type { KnowledgeSources } from '../app/knowledge/prepare-knowledge.js';
import { createSemaphore } from '../lib/semaphore.js';
import { createClock } from '../system/clock.js';

/** What documents are read with, beside the files. */
export type DocumentReader = Pick<KnowledgeSources, 'pdfPages' | 'cache'>;

/**
 * One that remembers the digests of files that are left alone, and reads one PDF after another:
 * what each of them may take is taken once.
 */
export function openDocuments(): DocumentReader {
  const oneAtATime = createSemaphore(1);
  // Few workspaces have a PDF, and threads of Node take time to load.
  const pdfPages = async (bytes: Uint8Array) => (await import('../system/pdf-pages.js')).pdfPages(bytes);
  return { pdfPages: (bytes) => oneAtATime(() => pdfPages(bytes)), cache: { clock: createClock(), known: new Map() } };
}
