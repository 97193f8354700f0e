import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';

/** What reading one PDF may take. A few kilobytes can unfold to gigabytes, and no reader of PDFs has a bound of its own. */
export interface PdfLimits {
  readonly timeoutMs: number;
  /** Beside the heap: what compressed parts unfold to. */
  readonly maxBufferBytes: number;
  readonly maxHeapBytes: number;
  /** Of all pages together. */
  readonly maxTextChars: number;
}

const MIB = 1024 * 1024;
/** A document of 10 MiB (docs/knowledge.md) with a thousand pages of text stays far below each of them. */
const LIMITS: PdfLimits = { timeoutMs: 30_000, maxBufferBytes: 128 * MIB, maxHeapBytes: 256 * MIB, maxTextChars: 16 * MIB };

/** How often the reader looks at what it has taken: PDF.js gives way to timers while it unfolds. */
const LOOK_MS = 20;

/** Text of the thread: the page texts are those of `extractText` of unpdf, one page after another. */
const READER = `
const { parentPort, workerData } = require('node:worker_threads');
const { library, bytes, maxBufferBytes, maxTextChars, lookMs } = workerData;
const say = (answer) => { parentPort.postMessage(answer); parentPort.close(); };
const tooMuch = () => { say({ problem: 'it unfolds to more than may be read' }); process.exit(); };
setInterval(() => { if (process.memoryUsage().arrayBuffers > maxBufferBytes) tooMuch(); }, lookMs).unref();
(async () => {
  const { getDocumentProxy } = require(library);
  const document = await getDocumentProxy(bytes, { verbosity: 0 });
  const pages = [];
  let chars = 0;
  for (let number = 1; number <= document.numPages; number += 1) {
    const page = await document.getPage(number);
    const { items } = await page.getTextContent();
    const text = items.filter((item) => item.str != null).map((item) => item.str + (item.hasEOL ? '\\n' : '')).join('');
    page.cleanup();
    chars += text.length;
    if (chars > maxTextChars) return tooMuch();
    pages.push(text);
  }
  say({ pages });
})().catch((error) => say({ problem: error instanceof Error ? error.message : String(error) })).finally(() => process.exit());
`;

type Answer = { readonly pages: readonly string[] } | { readonly problem: string };

/**
 * The text of each page of a PDF, by the text layer that its author put there: a scan has none, and its pages are empty. It is read in a thread of its
 * own (unpdf: PDF.js without what draws), so that a document which never comes to an end holds up nobody and takes no more than `limits`.
 *
 * Rejects for what is no PDF, for one that wants a password, and for one that is not read within the limits.
 */
export async function pdfPages(bytes: Uint8Array, limits: PdfLimits = LIMITS): Promise<readonly string[]> {
  const { timeoutMs, maxBufferBytes, maxHeapBytes, maxTextChars } = limits;
  // Looked up from here: the thread has no place of its own.
  const require = createRequire(import.meta.url);
  const library = require.resolve('unpdf');
  const worker = new Worker(READER, {
    eval: true,
    execArgv: [],
    env: {},
    workerData: { library, bytes: new Uint8Array(bytes), maxBufferBytes, maxTextChars, lookMs: LOOK_MS },
    resourceLimits: { maxOldGenerationSizeMb: Math.ceil(maxHeapBytes / MIB) },
  });
  const late = setTimeout(() => void worker.terminate(), timeoutMs);
  try {
    const answer = await new Promise<Answer>((resolve, reject) => {
      // What comes over is what READER has written.
      worker.once('message', (said: Answer) => resolve(said));
      worker.once('error', reject);
      worker.once('exit', () => reject(new Error(`it was not read within ${timeoutMs} ms`)));
    });
    if ('problem' in answer) throw new Error(answer.problem);
    return answer.pages;
  } finally {
    clearTimeout(late);
    await worker.terminate();
  }
}
