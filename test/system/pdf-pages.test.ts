import { deflateSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { pdfPages } from '../../src/system/pdf-pages.js';
import { pdfOf } from '../support/knowledge-samples.js';

const MIB = 1024 * 1024;
const ROOMY = { timeoutMs: 20_000, maxBufferBytes: 256 * MIB, maxHeapBytes: 256 * MIB, maxTextChars: MIB };

/**
 * A PDF of one page whose compressed drawing unfolds to `unfolded`; readers rebuild the missing
 * table of offsets.
 */
function compressedPdf(unfolded: string): Uint8Array {
  const drawing = deflateSync(unfolded, { level: 9 });
  const head = `%PDF-1.4
1 0 obj
<< /Type /Catalog /Pages 2 0 R >>
endobj
2 0 obj
<< /Type /Pages /Kids [3 0 R] /Count 1 >>
endobj
3 0 obj
<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 5 0 R >> >> /Contents 4 0 R >>
endobj
5 0 obj
<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>
endobj
4 0 obj
<< /Length ${drawing.length} /Filter /FlateDecode >>
stream
`;
  return Buffer.concat([
    Buffer.from(head),
    drawing,
    Buffer.from('\nendstream\nendobj\ntrailer\n<< /Size 6 /Root 1 0 R >>\n%%EOF\n'),
  ]);
}

/** How often a timer of this thread came by while the work was done. */
async function whileTicking<T>(work: () => Promise<T>): Promise<{ readonly end: T; readonly ticks: number }> {
  let ticks = 0;
  const timer = setInterval(() => {
    ticks += 1;
  }, 20);
  try {
    return { end: await work(), ticks };
  } finally {
    clearInterval(timer);
  }
}

describe('the pages of a PDF', () => {
  it('are read from a compressed document like from a plain one', async () => {
    const plain = await pdfPages(pdfOf(['Refunds are paid.', 'Within 30 days.']), ROOMY);

    expect(plain).toEqual(
      ['Refunds are paid.\n', 'Within 30 days.\n'].map((page) => expect.stringContaining(page.trim())),
    );
    expect(await pdfPages(compressedPdf('BT /F1 12 Tf (Refunds) Tj ET'), ROOMY)).toEqual(['Refunds']);
  });

  it('of a small file that unfolds to more than may be held are refused, and nobody else waits meanwhile', async () => {
    const bomb = compressedPdf(' '.repeat(400 * MIB));
    expect(bomb.length).toBeLessThan(MIB);

    const { end, ticks } = await whileTicking(() =>
      pdfPages(bomb, { ...ROOMY, maxBufferBytes: 64 * MIB }).catch((error: Error) => error.message),
    );

    expect(end).toBe('it unfolds to more than may be read');
    expect(ticks).toBeGreaterThan(5);
  });

  it('with more text than may be kept are refused', async () => {
    const drawing = `BT /F1 12 Tf ${`(${'word '.repeat(20)}) Tj T*\n`.repeat(500)} ET`;

    await expect(pdfPages(compressedPdf(drawing), { ...ROOMY, maxTextChars: 1_000 })).rejects.toThrow(
      'it unfolds to more than may be read',
    );
  });

  it('that take too long are given up', async () => {
    const slow = compressedPdf('BT (a) Tj ET\n'.repeat(2 * MIB));

    await expect(pdfPages(slow, { ...ROOMY, timeoutMs: 300 })).rejects.toThrow('it was not read within 300 ms');
  });
});
