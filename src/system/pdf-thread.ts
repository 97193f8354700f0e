/**
 * The thread of `pdfPages`. Run from `dist` as JavaScript, and from `src` (tests) by Node's own
 * type stripping: hence no syntax that needs compiling, and no import of this project but of types.
 * It answers once; `pdfPages` ends it.
 */
import { parentPort, workerData } from 'node:worker_threads';
import type { PdfAnswer, PdfWork } from './pdf-pages.js';

/** How often it looks at what it has taken: PDF.js gives way to timers while it unfolds. */
const LOOK_MS = 20;

async function read(
  { bytes, maxBufferBytes, maxTextChars }: PdfWork,
  answer: (said: PdfAnswer) => void,
): Promise<void> {
  const tooMuch = (): void => answer({ problem: 'it unfolds to more than may be read' });
  const look = setInterval(() => {
    if (process.memoryUsage().arrayBuffers > maxBufferBytes) tooMuch();
  }, LOOK_MS);
  try {
    const { getDocumentProxy } = await import('unpdf');
    const document = await getDocumentProxy(bytes, { verbosity: 0 });
    const pages: string[] = [];
    let chars = 0;
    for (let number = 1; number <= document.numPages; number += 1) {
      const page = await document.getPage(number);
      const { items } = await page.getTextContent();
      // As `extractText` of the library joins them, page after page.
      const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
      page.cleanup();
      chars += text.length;
      if (chars > maxTextChars) return tooMuch();
      pages.push(text);
    }
    answer({ pages });
  } catch (error) {
    const isAbsent = error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND';
    answer(isAbsent ? { isReaderMissing: true } : { problem: error instanceof Error ? error.message : String(error) });
  } finally {
    clearInterval(look);
  }
}

// What comes over is what `pdfPages` has sent. The first answer counts.
void read(workerData as PdfWork, (said) => parentPort?.postMessage(said));
